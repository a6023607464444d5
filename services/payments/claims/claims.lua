-- KEYS of every function that changes a claim: the claim, its id's pointer, the payer's value in flight, the payer's
-- failures, the store. The store is the last key of every function. All carry one hash tag (the network), so they live on
-- one node of a cluster.
-- The store is epoch, sequence and format: the random id made with it, the number of writes, and the format of the stored
-- data. The first format has no number. Every later format keeps its number in this field.
-- The first argument of every function is the time in milliseconds, or '' for the clock of Redis.

local HOUR_MS = 3600000
local DAY_MS = 86400000

-- One clock decides for all copies of the service. Only tests pass another time.
local function clock(given)
  if given ~= '' then return tonumber(given) end
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function int(number)
  return string.format('%d', number)
end

local function read(key)
  local flat = redis.call('HGETALL', key)
  local record = {}
  for i = 1, #flat, 2 do record[flat[i]] = flat[i + 1] end
  return record
end

-- A claim as fields and values, with the state that can be trusted. If its epoch has ended, later writes were lost: a
-- settlement that seems unsent may have been sent.
local function believe(record, store)
  local is_unsent = record.state == 'unsent' or record.state == 'retained'
  if is_unsent and record.epoch ~= redis.call('HGET', store, 'epoch') then record.state = 'settling' end
  local flat = {}
  for field, value in pairs(record) do
    flat[#flat + 1] = field
    flat[#flat + 1] = value
  end
  return flat
end

local function expire(keys, record, now)
  local ttl = math.max(tonumber(record.valid_before) * 1000 - now, 0) + DAY_MS
  redis.call('PEXPIRE', keys[1], ttl)
  redis.call('PEXPIRE', keys[2], ttl)
end

local function count_write(keys)
  return int(redis.call('HINCRBY', keys[5], 'sequence', 1))
end

local function count_failure(key, claim_id, now)
  redis.call('ZADD', key, now, claim_id)
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now - HOUR_MS)
  redis.call('PEXPIRE', key, HOUR_MS)
end

-- The sum and the number of a payer's payments in flight, without those in `left_out`. An expired authorization can no
-- longer move money, so it is removed.
local function in_flight(key, left_out, now)
  local flat = redis.call('HGETALL', key)
  local sum, count = 0, 0
  for i = 1, #flat, 2 do
    local amount, valid_before = string.match(flat[i + 1], '^(%d+):(%d+)$')
    if tonumber(valid_before) * 1000 <= now then
      redis.call('HDEL', key, flat[i])
    elseif not left_out[flat[i]] then
      sum, count = sum + tonumber(amount), count + 1
    end
  end
  return sum, count
end

local function add_in_flight(key, fields)
  redis.call('HSET', key, fields.nonce, fields.amount .. ':' .. fields.valid_before)
  redis.call('PEXPIRE', key, 2 * HOUR_MS)
end

-- The fields and values that begin at an argument.
local function fields_from(args, first)
  local fields = {}
  for i = first, #args, 2 do fields[args[i]] = args[i + 1] end
  return fields
end

-- KEYS: the store. Answers epoch and sequence, or nothing if the store does not exist.
local function position(keys)
  local epoch, sequence = unpack(redis.call('HMGET', keys[1], 'epoch', 'sequence'))
  return epoch and { epoch, sequence } or {}
end

-- KEYS: the store. ARGV: an epoch for a new store. Creates the store if needed. Answers epoch and sequence.
local function make_store(keys, args)
  redis.call('HSETNX', keys[1], 'epoch', args[1])
  redis.call('HSETNX', keys[1], 'sequence', '0')
  return position(keys)
end

-- KEYS: the store. ARGV: the epoch to end, the epoch to begin. Claims of an ended epoch may lack their last writes.
local function begin_epoch(keys, args)
  if redis.call('HGET', keys[1], 'epoch') ~= args[1] then return 0 end
  redis.call('HSET', keys[1], 'epoch', args[2])
  return 1
end

-- KEYS: the claim, the store. Answers the time and the claim.
local function find(keys, args)
  return { int(clock(args[1])), believe(read(keys[1]), keys[2]) }
end

-- KEYS: the payer's failures, the store. ARGV: time, most failures.
local function is_throttled(keys, args)
  return redis.call('ZCOUNT', keys[1], clock(args[1]) - HOUR_MS, '+inf') >= tonumber(args[2]) and 1 or 0
end

-- ARGV: time, epoch and sequence that the caller has seen, expected claim id or '', length of the lease, balance or '',
-- most failures, most open claims, nonces (with commas between) of payments that the balance lacks already, then fields
-- and values. Answers a word and the sequence.
local function open(keys, args)
  local now, expected, lease, balance = clock(args[1]), args[4], tonumber(args[5]), tonumber(args[6])
  local fields = fields_from(args, 10)
  local epoch, sequence = unpack(redis.call('HMGET', keys[5], 'epoch', 'sequence'))
  if epoch ~= args[2] or tonumber(sequence) < tonumber(args[3]) then return { 'rolled_back', sequence or '-1' } end
  local current = read(keys[1])
  -- The answer to the first call was lost.
  if current.claim_id == fields.claim_id and current.state == 'executing' then return { 'opened', sequence } end
  if (current.claim_id or '') ~= expected then return { 'changed', sequence } end
  if current.claim_id and (current.state ~= 'executing' or tonumber(current.lease) > now) then return { 'changed', sequence } end
  if redis.call('ZCOUNT', keys[4], now - HOUR_MS, '+inf') >= tonumber(args[7]) then return { 'throttled', sequence } end
  local left_out = { [fields.nonce] = true }
  for nonce in string.gmatch(args[9], '[^,]+') do left_out[nonce] = true end
  local sum, count = in_flight(keys[3], left_out, now)
  if count >= tonumber(args[8]) or (balance and sum + tonumber(fields.amount) > balance) then return { 'throttled', sequence } end
  redis.call('DEL', keys[1])
  redis.call('HSET', keys[1], 'state', 'executing', 'epoch', epoch, 'lease', int(now + lease), unpack(args, 10))
  redis.call('SET', keys[2], fields.payer .. ':' .. fields.nonce)
  add_in_flight(keys[3], fields)
  expire(keys, fields, now)
  return { 'opened', count_write(keys) }
end

-- ARGV: time, state of a lost claim, then fields and values. Rebuilds a claim whose result is retained. It replaces
-- another execution of the same payment, whose result can no longer be retained.
local function restore(keys, args)
  local now = clock(args[1])
  local fields = fields_from(args, 3)
  local current = read(keys[1])
  local state = args[2]
  local is_resolved = current.state == 'settled' or current.final == '1'
  local is_news = current.state == 'executing' or (fields.final == '1' and not is_resolved)
  if current.claim_id == fields.claim_id and not is_news then return 'kept' end
  -- Within one epoch nothing is lost: a claim that is still executing was never sent for settlement.
  -- A store that was emptied has no epoch yet.
  local epoch = redis.call('HGET', keys[5], 'epoch') or ''
  local is_intact = current.claim_id == fields.claim_id and current.epoch == epoch
  if is_intact and state == 'settling' then state = 'retained' end
  redis.call('DEL', keys[1])
  redis.call('HSET', keys[1], 'state', state, 'epoch', epoch, 'lease', '0', unpack(args, 3))
  redis.call('SET', keys[2], fields.payer .. ':' .. fields.nonce)
  if state == 'settled' or state == 'failed' then
    expire(keys, fields, now)
  else
    add_in_flight(keys[3], fields)
  end
  count_write(keys)
  redis.call('PUBLISH', keys[1], state)
  return 'restored'
end

-- ARGV: time, claim id, '1' when the caller made the operation fail.
local function release(keys, args)
  local record = read(keys[1])
  if record.claim_id ~= args[2] or record.state ~= 'executing' then return 'kept' end
  redis.call('DEL', keys[1], keys[2])
  redis.call('HDEL', keys[3], record.nonce)
  if args[3] == '1' then count_failure(keys[4], args[2], clock(args[1])) end
  count_write(keys)
  redis.call('PUBLISH', keys[1], 'released')
  return 'released'
end

-- ARGV: time, claim id, attempt, length of its lease. Answers a word, the time and the claim as it was.
local function start_settling(keys, args)
  local now = clock(args[1])
  local record = read(keys[1])
  if record.claim_id ~= args[2] then return { 'gone' } end
  local before = believe(record, keys[5])
  if record.state == 'settled' or record.state == 'failed' then return { 'resolved', int(now), before } end
  local alive = record.state == 'settling' and tonumber(record.lease) > now
  if alive and record.attempt ~= args[3] then return { 'busy' } end
  redis.call('HSET', keys[1], 'state', 'settling', 'attempt', args[3], 'lease', int(now + tonumber(args[4])))
  -- Kept until it is resolved, however long that takes.
  redis.call('PERSIST', keys[1])
  redis.call('PERSIST', keys[2])
  count_write(keys)
  return { 'started', int(now), before }
end

-- ARGV: time, claim id, attempt or '' when none is alive, transaction.
local function note_transaction(keys, args)
  local record = read(keys[1])
  if record.claim_id ~= args[2] or record.state ~= 'settling' then return 0 end
  local is_over = tonumber(record.lease) <= clock(args[1])
  if record.attempt ~= args[3] and not (args[3] == '' and is_over) then return 0 end
  redis.call('HSET', keys[1], 'transaction', args[4])
  count_write(keys)
  return 1
end

-- ARGV: time, claim id, attempt or '', state, '1' when proven, payment response or '', '1' for a fault of the payer.
local function finish(keys, args)
  local now, claim_id, attempt, state, proven, response = clock(args[1]), args[2], args[3], args[4], args[5], args[6]
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
    if args[7] == '1' then count_failure(keys[4], claim_id, now) end
    expire(keys, record, now)
  end
  count_write(keys)
  redis.call('PUBLISH', keys[1], state)
  return 'finished'
end

-- KEYS: the queue, the store. ARGV: time, id, how long it waits, most places.
local function enter_queue(keys, args)
  local now, wait = clock(args[1]), tonumber(args[3])
  redis.call('ZREMRANGEBYSCORE', keys[1], '-inf', now)
  if redis.call('ZCARD', keys[1]) >= tonumber(args[4]) then return 0 end
  redis.call('ZADD', keys[1], int(now + wait), args[2])
  redis.call('PEXPIRE', keys[1], int(math.max(wait, 1) + 60000))
  return 1
end

-- Registers a function that first refuses a store that a later release has changed.
local function register_checked(name, callback, flags)
  register(name, function(keys, args)
    refuseLaterFormat(redis.call('HGET', keys[#keys], 'format'))
    return callback(keys, args)
  end, flags)
end

register_checked('position', position, { 'no-writes' })
register_checked('make_store', make_store)
register_checked('begin_epoch', begin_epoch)
register_checked('find', find, { 'no-writes' })
-- Writes nothing. Without a flag, Redis refuses it whenever it would refuse a new claim, such as when it is full.
register_checked('is_throttled', is_throttled)
register_checked('open', open)
-- Executed payments must be settled, recorded or released even when Redis is full.
register_checked('restore', restore, { 'allow-oom' })
register_checked('release', release, { 'allow-oom' })
register_checked('start_settling', start_settling, { 'allow-oom' })
register_checked('note_transaction', note_transaction, { 'allow-oom' })
register_checked('finish', finish, { 'allow-oom' })
register_checked('enter_queue', enter_queue)
