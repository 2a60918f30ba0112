import { createHash } from 'node:crypto'

/** A Lua script that Redis runs as one step. */
export interface Script {
  readonly text: string
  readonly sha1: string
}

/**
 * How every script begins. Its first two arguments are the time in milliseconds, or nothing for the server's own, and how
 * long a lease lasts.
 */
export const COMMON = `
local now = tonumber(ARGV[1])
if now == nil then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local lease = tonumber(ARGV[2])
local KEEP_MS = 7 * 24 * 3600 * 1000
local function whole(amount) return string.format('%.0f', amount) end
`

export function script(text: string): Script {
  return { text, sha1: createHash('sha1').update(text).digest('hex') }
}
