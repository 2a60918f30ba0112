import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import OpenAI from 'openai'
import { PROMPT, SCHEMA } from './task.ts'

/** What somebody would write without this project: the SDK in a loop, parse, ajv. */
const [baseURL, imageFile, calls, concurrency] = process.argv.slice(2) as [string, string, string, string]
const client = new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 })
const validate = new Ajv2020().compile(SCHEMA)
const url = `data:image/png;base64,${readFileSync(imageFile).toString('base64')}`

let next = 0
let good = 0
async function lane(): Promise<void> {
  while (next++ < Number(calls)) {
    const completion = await client.chat.completions.create({
      model: 'bench-model',
      max_tokens: 1000,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url, detail: 'high' } },
            { type: 'text', text: PROMPT },
          ],
        },
      ],
      response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema: SCHEMA } },
    })
    if (validate(JSON.parse(completion.choices[0]?.message.content ?? ''))) good += 1
  }
}
await Promise.all(Array.from({ length: Number(concurrency) }, lane))
process.send?.({ doneAt: Date.now(), good })
process.disconnect?.()
