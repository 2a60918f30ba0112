/**
 * Text of a probe file whose one test does something once its worker has told of so many samples; tests that wait for
 * them have not begun. The file is evaluated twice, the count is one.
 */
export function afterTold(samples: number, statement: string): string {
  return `
    import { MessagePort } from 'node:worker_threads'
    import { test } from 'vitest'
    globalThis.allTold ??= new Promise((done) => {
      const post = MessagePort.prototype.postMessage
      let told = 0
      MessagePort.prototype.postMessage = function (message, ...rest) {
        post.call(this, message, ...rest)
        if (message.progress?.kind === 'sample' && ++told === ${samples}) done()
      }
    })
    test('acts', async () => {
      await globalThis.allTold
      ${statement}
    })
  `
}
