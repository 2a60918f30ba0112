/** Body of a Responses reply after so many searches. */
export const responsesBody = (searches: number, usage: object) => ({
  object: 'response',
  status: 'completed',
  model: 'm',
  output: [
    ...Array.from({ length: searches }, () => ({
      type: 'web_search_call',
      status: 'completed',
      action: { type: 'search', query: 'q' },
    })),
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'yes', annotations: [] }] },
  ],
  usage,
})

/** Body of an Anthropic reply; its usage counts the searches. */
export const messageBody = (usage: object) => ({
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: 'yes' }],
  stop_reason: 'end_turn',
  usage,
})
