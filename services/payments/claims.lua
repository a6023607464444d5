#!lua name=tollhouse_claims

-- KEYS of every function that changes a claim: the claim, its id's pointer, the payer's value in flight, the payer's
-- failures. All carry one hash tag (the network), so they live on one node of a cluster.

local HOUR_MS = 3600000
local DAY_MS = 86400000

local function read(key)
  local flat = redis.call('HGETALL', key)
  local record = {}
  for i = 1, #flat, 2 do record[flat[i]] = flat[i + 1] end
  return record
end

local function expire(keys, record, now)
  local ttl = math.max(tonumber(record.valid_before) * 1000 - now, 0) + DAY_MS
  redis.call('PEXPIRE', keys[1], ttl)
  redis.call('PEXPIRE', keys[2], ttl)
end

local function count_failure(key, claim_id, now)
  redis.call('ZADD', key, now, claim_id)
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now - HOUR_MS)
  redis.call('PEXPIRE', key, HOUR_MS)
end

-- An authorization that has expired moves no money any more: it leaves the sum by itself.
local function in_flight(key, nonce, now)
  local flat = redis.call('HGETALL', key)
  local sum, count = 0, 0
  for i = 1, #flat, 2 do
    local amount, valid_before = string.match(flat[i + 1], '^(%d+):(%d+)$')
    if tonumber(valid_before) * 1000 <= now then
      redis.call('HDEL', key, flat[i])
    elseif flat[i] ~= nonce then
      sum, count = sum + tonumber(amount), count + 1
    end
  end
  return sum, count
end

-- ARGV: expected claim id or '', now, balance or '', most failures, most open claims, then fields and values.
local function open(keys, args)
  local expected, now, balance = args[1], tonumber(args[2]), tonumber(args[3])
  local fields = {}
  for i = 6, #args, 2 do fields[args[i]] = args[i + 1] end
  local current = read(keys[1])
  -- The answer to the first try was lost.
  if current.claim_id == fields.claim_id and current.state == 'executing' then return 'opened' end
  if (current.claim_id or '') ~= expected then return 'changed' end
  if current.claim_id and (current.state ~= 'executing' or tonumber(current.lease) > now) then return 'changed' end
  if redis.call('ZCOUNT', keys[4], now - HOUR_MS, '+inf') >= tonumber(args[4]) then return 'throttled' end
  local sum, count = in_flight(keys[3], fields.nonce, now)
  if count >= tonumber(args[5]) or (balance and sum + tonumber(fields.amount) > balance) then return 'throttled' end
  redis.call('DEL', keys[1])
  redis.call('HSET', keys[1], 'state', 'executing', unpack(args, 6))
  redis.call('SET', keys[2], fields.payer .. ':' .. fields.nonce)
  redis.call('HSET', keys[3], fields.nonce, fields.amount .. ':' .. fields.valid_before)
  redis.call('PEXPIRE', keys[3], 2 * HOUR_MS)
  expire(keys, fields, now)
  return 'opened'
end

-- ARGV: claim id, now.
local function release(keys, args)
  local record = read(keys[1])
  if record.claim_id ~= args[1] or record.state ~= 'executing' then return 'kept' end
  redis.call('DEL', keys[1], keys[2])
  redis.call('HDEL', keys[3], record.nonce)
  count_failure(keys[4], args[1], tonumber(args[2]))
  redis.call('PUBLISH', keys[1], 'released')
  return 'released'
end

-- ARGV: claim id, now, attempt, end of its lease. Answers a word and the claim as it was.
local function start_settling(keys, args)
  local record = read(keys[1])
  if record.claim_id ~= args[1] then return { 'gone' } end
  local before = redis.call('HGETALL', keys[1])
  if record.state == 'settled' or record.state == 'failed' then return { 'resolved', before } end
  local alive = record.state == 'settling' and tonumber(record.lease) > tonumber(args[2])
  if alive and record.attempt ~= args[3] then return { 'busy' } end
  redis.call('HSET', keys[1], 'state', 'settling', 'attempt', args[3], 'lease', args[4])
  -- Kept until it is resolved, however long that takes.
  redis.call('PERSIST', keys[1])
  redis.call('PERSIST', keys[2])
  return { 'started', before }
end

-- ARGV: claim id, attempt, transaction.
local function note_transaction(keys, args)
  local record = read(keys[1])
  if record.claim_id ~= args[1] or record.state ~= 'settling' or record.attempt ~= args[2] then return 0 end
  redis.call('HSET', keys[1], 'transaction', args[3])
  return 1
end

-- ARGV: claim id, now, attempt or '', state, '1' when proven, payment response or ''.
local function finish(keys, args)
  local claim_id, now, attempt, state, proven, response = args[1], tonumber(args[2]), args[3], args[4], args[5], args[6]
  local record = read(keys[1])
  if record.claim_id ~= claim_id then return 'gone' end
  if record.state == 'settled' or (record.state == 'failed' and record.final == '1') then return 'kept' end
  if proven ~= '1' and (record.state ~= 'settling' or record.attempt ~= attempt) then return 'kept' end
  if state == 'pending' then
    redis.call('HSET', keys[1], 'lease', '0')
  elseif state == 'unsent' then
    redis.call('HSET', keys[1], 'state', 'unsent', 'lease', '0')
    expire(keys, record, now)
  else
    redis.call('HSET', keys[1], 'state', state, 'final', proven, 'response', response)
    redis.call('HDEL', keys[3], record.nonce)
    if state == 'failed' then count_failure(keys[4], claim_id, now) end
    expire(keys, record, now)
  end
  redis.call('PUBLISH', keys[1], state)
  return 'finished'
end

-- KEYS: the queue. ARGV: id, now, until when, most places.
local function enter_queue(keys, args)
  local now, till = tonumber(args[2]), tonumber(args[3])
  redis.call('ZREMRANGEBYSCORE', keys[1], '-inf', now)
  if redis.call('ZCARD', keys[1]) >= tonumber(args[4]) then return 0 end
  redis.call('ZADD', keys[1], till, args[1])
  redis.call('PEXPIRE', keys[1], math.max(till - now, 1) + 60000)
  return 1
end

redis.register_function('claims_open', open)
redis.register_function('claims_release', release)
redis.register_function('claims_start_settling', start_settling)
redis.register_function('claims_note_transaction', note_transaction)
redis.register_function('claims_finish', finish)
redis.register_function('claims_enter_queue', enter_queue)
