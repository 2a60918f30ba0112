import { COMMON, script } from './script.ts'

/**
 * What all scripts share. The keys are those of one model of one run:
 * - the state, a hash: `envelope`, `accrued` and `held` in nano-dollars, `began`, and of each shard what it `spent:` and
 *   has `held:`, when it last `asked:`, and whether it wants `beyond:` its share;
 * - the holds, a hash from id to amount, shard and stage: `held`, `sent`, or `lapsed` after it was sent;
 * - their leases, a sorted set of ids by the time they run out;
 * - the ids that were settled, so that a message that is sent again does not count twice.
 *
 * Amounts are whole and below 2^53, which Lua's doubles hold exactly; they are written out in full.
 */
const SHARED = `${COMMON}
local state, holds, leases, settled = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local function get(field) return tonumber(redis.call('HGET', state, field) or '0') end
local function add(field, amount) redis.call('HINCRBY', state, field, whole(amount)) end
local function answer(word) return { word, whole(get('accrued')) } end
local function gone() return redis.call('HEXISTS', state, 'envelope') == 0 end
local function keep()
  for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, KEEP_MS) end
end
local function write(id, hold)
  redis.call('HSET', holds, id, whole(hold.amount) .. ' ' .. hold.shard .. ' ' .. hold.stage)
end
local function read(id)
  local text = redis.call('HGET', holds, id)
  if not text then return nil end
  local amount, shard, stage = string.match(text, '^(%d+) (%d+) (%a+)$')
  return { amount = tonumber(amount), shard = shard, stage = stage }
end
local function let_go(id, hold)
  add('held', -hold.amount)
  add('held:' .. hold.shard, -hold.amount)
  redis.call('ZREM', leases, id)
end
local function book(shard, amount)
  add('accrued', amount)
  add('spent:' .. shard, amount)
end
-- Whoever held these is gone. What was not sent is free again; what was sent may have been billed, and counts as spent
-- until its owner tells otherwise.
local function lapse()
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', leases, '-inf', now)) do
    local hold = read(id)
    let_go(id, hold)
    if hold.stage == 'sent' then
      book(hold.shard, hold.amount)
      hold.stage = 'lapsed'
      write(id, hold)
    else
      redis.call('HDEL', holds, id)
    end
  end
end
`

/** Opens the ledger, or finds it open. Arguments: envelope, shards. Answers with those it was opened with. */
export const JOIN = script(`${SHARED}
redis.call('HSETNX', state, 'envelope', ARGV[3])
redis.call('HSETNX', state, 'shards', ARGV[4])
redis.call('HSETNX', state, 'began', whole(now))
keep()
return { redis.call('HGET', state, 'envelope'), redis.call('HGET', state, 'shards'), whole(get('accrued')) }
`)

/** Looks at a ledger. Answers with what it was opened with, or nothing. */
export const LOOK = script(`${SHARED}
if gone() then return {} end
return { redis.call('HGET', state, 'envelope'), redis.call('HGET', state, 'shards'), whole(get('accrued')) }
`)

/**
 * Holds an amount if it fits. Arguments: id, amount, shard, shards. Beyond its equal share a shard is given only what no
 * other shard can still claim of its own: one that is at work, or has not come yet, within the time of a lease.
 */
export const HOLD = script(`${SHARED}
if gone() then return { 'gone', '0' } end
lapse()
local id, amount, shard, shards = ARGV[3], tonumber(ARGV[4]), ARGV[5], tonumber(ARGV[6])
if redis.call('HEXISTS', holds, id) == 1 then return answer('held') end
redis.call('HSET', state, 'asked:' .. shard, whole(now))
local envelope, held = get('envelope'), get('held')
local free = envelope - get('accrued') - held - amount
local share = math.floor(envelope / shards)
local function taken(of) return get('spent:' .. of) + get('held:' .. of) end
local beyond = taken(shard) + amount > share
redis.call('HSET', state, 'beyond:' .. shard, beyond and '1' or '0')
if free < 0 then
  if held > 0 then return answer('wait') end
  redis.call('HSET', state, 'beyond:' .. shard, '1')
  return answer('never')
end
if beyond then
  local kept = 0
  for other = 1, shards do
    local last = tonumber(redis.call('HGET', state, 'asked:' .. other) or get('began'))
    local active = get('held:' .. other) > 0 or last + lease > now
    if tostring(other) ~= shard and active and get('beyond:' .. other) == 0 then
      kept = kept + math.max(0, share - taken(other))
    end
  end
  if free < kept then return answer('wait') end
end
write(id, { amount = amount, shard = shard, stage = 'held' })
redis.call('ZADD', leases, now + lease, id)
add('held', amount)
add('held:' .. shard, amount)
keep()
return answer('held')
`)

/** Says that a hold is about to be spent. Argument: id. */
export const CONFIRM = script(`${SHARED}
if gone() then return { 'gone', '0' } end
lapse()
local hold = read(ARGV[3])
if not hold or hold.stage == 'lapsed' then return answer('lapsed') end
hold.stage = 'sent'
write(ARGV[3], hold)
redis.call('ZADD', leases, now + lease, ARGV[3])
return answer('sent')
`)

/** Turns a hold into what was spent, once, also when its lease has run out. Arguments: id, spent, shard. */
export const SETTLE = script(`${SHARED}
if gone() then return { 'gone', '0' } end
local HOUR_MS = 3600 * 1000
local id, spent = ARGV[3], tonumber(ARGV[4])
if redis.call('ZSCORE', settled, id) then return answer('settled') end
redis.call('ZREMRANGEBYSCORE', settled, '-inf', now - HOUR_MS)
redis.call('ZADD', settled, now, id)
lapse()
local hold = read(id)
if hold and hold.stage == 'lapsed' then
  book(hold.shard, spent - hold.amount)
elseif hold then
  let_go(id, hold)
  book(hold.shard, spent)
else
  book(ARGV[5], spent)
end
redis.call('HDEL', holds, id)
keep()
return answer('settled')
`)

/** Renews leases. Arguments: ids. */
export const RENEW = script(`${SHARED}
for place = 3, #ARGV do
  redis.call('ZADD', leases, 'XX', now + lease, ARGV[place])
end
return answer('renewed')
`)

/** Gives up what is left of a shard's share. Argument: shard. */
export const LEAVE = script(`${SHARED}
if gone() then return { 'gone', '0' } end
redis.call('HSET', state, 'beyond:' .. ARGV[3], '1')
return answer('left')
`)
