import { COMMON, script } from './script.ts'

/**
 * What the scripts of a provider account share. Its keys: the pace as JSON, the open slots with their leases, the
 * processes that wait in their order, and when each of them last asked.
 */
const SHARED = `${COMMON}
local pace, slots, tickets, asked = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
`

/**
 * Takes a slot. Arguments: process, id, the pace to begin with. Processes that had to wait are served first, one slot a
 * turn, so that none is kept out by one that asks faster; who has not asked for a second is not waited for.
 */
export const ACQUIRE = script(`${SHARED}
local GONE_MS = 1000
local me, id = ARGV[3], ARGV[4]
redis.call('SET', pace, ARGV[5], 'NX')
redis.call('ZREMRANGEBYSCORE', slots, '-inf', now)
for _, other in ipairs(redis.call('ZRANGEBYSCORE', asked, '-inf', now - GONE_MS)) do
  redis.call('ZREM', asked, other)
  redis.call('ZREM', tickets, other)
end
redis.call('ZADD', asked, now, me)
local last = redis.call('ZRANGE', tickets, -1, -1, 'WITHSCORES')
redis.call('ZADD', tickets, 'NX', (tonumber(last[2]) or 0) + 1, me)
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, KEEP_MS) end
local state = cjson.decode(redis.call('GET', pace))
local pause = math.max(state.pausedUntil - now, 0)
local free = state.limit - redis.call('ZCARD', slots)
if pause > 0 or free <= redis.call('ZRANK', tickets, me) then return { 'wait', whole(math.ceil(pause)) } end
redis.call('ZREM', asked, me)
redis.call('ZREM', tickets, me)
redis.call('ZADD', slots, now + lease, id)
redis.call('PEXPIRE', slots, KEEP_MS)
return { 'open', '0' }
`)

/**
 * Gives a slot back, and sets the pace if it is still what it was taken for. Arguments: id or nothing, that pace, the
 * next one or nothing. Answers with the pace and the time.
 */
export const ADVANCE = script(`${SHARED}
if ARGV[3] ~= '' then redis.call('ZREM', slots, ARGV[3]) end
local state = redis.call('GET', pace) or ''
if ARGV[5] ~= '' and state == ARGV[4] then
  redis.call('SET', pace, ARGV[5], 'PX', KEEP_MS)
  return { 'set', ARGV[5], whole(now) }
end
return { 'is', state, whole(now) }
`)

/** Renews the leases of slots. Arguments: ids. */
export const RENEW_SLOTS = script(`${SHARED}
for place = 3, #ARGV do
  redis.call('ZADD', slots, 'XX', now + lease, ARGV[place])
end
return { 'renewed' }
`)
