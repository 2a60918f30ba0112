import type { CallRequest, ModelReply } from '../model/call.ts'
import { PROBE_CLASSES, type ProbeClass } from '../model/fixture.ts'
import { BLANK_REPLY } from './blank-reply.ts'
import { FREE, ProviderFault, type CallContext, type Price, type Provider } from './provider.ts'

/** What a script is told about the call it answers. */
export interface ScriptedCall extends CallContext {
  readonly request: CallRequest
  /** Calls made to this provider before this one. */
  readonly index: number
}

/** How a scripted provider answers. */
export interface ScriptedOptions {
  /** Name before the slash of the model key. @default 'scripted' */
  readonly name?: string
  /** @default free */
  readonly price?: Price
  /** @default all */
  readonly classes?: readonly ProbeClass[]
  /** Answers a call with a text or with parts of a reply; throws a ProviderFault to fail it. */
  readonly reply: (call: ScriptedCall) => Answer | Promise<Answer>
}

type Answer = string | Partial<ModelReply>

/** A provider that answers what it is told to, at the price it is told: for tests of probes, adapters and money. */
export function scriptedProvider(options: ScriptedOptions): Provider {
  const price = options.price ?? FREE
  let calls = 0
  return {
    name: options.name ?? 'scripted',
    classes: options.classes ?? PROBE_CLASSES,
    simulated: true,
    priceSource: 'scripted',
    price: () => price,
    async call(request, context) {
      if (context.signal.aborted)
        throw new ProviderFault('timeout', 'the call was ended before it was made', { billing: { kind: 'none' } })
      const answer = await options.reply({ ...context, request, index: calls++ })
      const said = typeof answer === 'string' ? { text: answer } : answer
      return { ...BLANK_REPLY, finishReason: 'stop', rawFinishReason: 'stop', servedModel: context.model, ...said }
    },
  }
}
