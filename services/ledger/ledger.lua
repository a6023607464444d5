#!lua name=tollhouse_ledger

-- The wallets' credit as two-phase transfers with a journal. Each function is atomic and idempotent by id.
-- KEYS[1] is the prefix "tollhouse:{<CAIP-2 network>}:". Every other key is derived from it and shares its hash
-- tag, hence its slot: the keys depend on what is stored (the reservation's wallet) and on the time (the day), so
-- no caller could name them all beforehand.
--
--   meta              hash    epoch, sequence            journal           stream  <sequence>-0, never changed
--   wallet:<address>  hash    balance, reserved, spent, sequence           day:<n> hash used, sequence
--   reservation:<id>  hash    a day longer than pending  nonce:<nonce>     string  "id|state|balance"
--   pending           zset    id by deadline             failures:<address> zset   id by time
--   grants:<n>:<scope> string count                      lock:<address>    string  redlock's token
--
-- Amounts, times and sequences stay below 2^53, where Lua's doubles are exact; the adapter checks amounts.
-- All reads come before the first write: an error in the middle of a function is not undone.

local DAY_MS = 86400000
local HOUR_MS = 3600000
local NONCE_GRACE_MS = 120000

local function int(number)
  return string.format('%.0f', number)
end

-- One clock decides for all copies. Tests alone pass another time, to cross midnight.
local function clock(given)
  if given ~= '' then
    return tonumber(given)
  end
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- A caller that saw more of the journal than there is, or another ledger, knows that this one lost answers it gave.
local function position(prefix, epoch, seen)
  local meta = redis.call('HMGET', prefix .. 'meta', 'epoch', 'sequence')
  local sequence = tonumber(meta[2] or '-1')
  return sequence, meta[1] ~= epoch or sequence < tonumber(seen)
end

local function append(prefix, sequence, ...)
  redis.call('XADD', prefix .. 'journal', int(sequence) .. '-0', ...)
  redis.call('HSET', prefix .. 'meta', 'sequence', int(sequence))
end

local function account(prefix, wallet, grant)
  local stored = redis.call('HGET', prefix .. 'wallet:' .. wallet, 'balance')
  return tonumber(stored or grant), not stored
end

local function open(keys, args)
  local prefix, epoch = keys[1], args[1]
  redis.call('HSETNX', prefix .. 'meta', 'epoch', epoch)
  redis.call('HSETNX', prefix .. 'meta', 'sequence', '0')
  return redis.call('HMGET', prefix .. 'meta', 'epoch', 'sequence')
end

-- The first outcome of an id that was seen before, or nil.
local function recall(prefix, ask)
  local known = redis.call('HMGET', prefix .. 'reservation:' .. ask.id, 'state', 'wallet', 'nonce', 'amount', 'balance')
  if known[1] then
    local same = known[2] == ask.wallet and known[3] == ask.nonce and tonumber(known[4]) == ask.amount
    if known[2] and not same then
      return redis.error_reply('CONFLICT the reservation id belongs to another reservation')
    end
    local state = known[1] == 'voided' and 'voided' or 'reserved'
    return { state, known[5] or int((account(prefix, ask.wallet, ask.grant))) }
  end
  local burnt = redis.call('GET', prefix .. 'nonce:' .. ask.nonce)
  if burnt then
    local id, state, balance = string.match(burnt, '^(.-)|(.-)|(.-)$')
    if id == ask.id then
      return { state, balance }
    end
    ask.replayed = true
  end
  return nil
end

-- Reasons that leave everything as it is.
local function refusal(prefix, ask, now)
  if now > ask.expiration then
    return 'expired'
  elseif now > ask.deadline then
    return 'deadline_passed'
  elseif ask.replayed then
    return 'nonce_replayed'
  elseif redis.call('GET', prefix .. 'lock:' .. ask.wallet) ~= ask.token then
    return 'lock_lost'
  end
  return nil
end

-- Reasons that burn the nonce.
local function denial(prefix, ask, now, day, balance, isNew)
  local used = tonumber(redis.call('HGET', prefix .. 'day:' .. day, 'used') or '0')
  if balance < ask.amount then
    return 'insufficient_balance'
  elseif ask.failuresLimit > 0 and redis.call('ZCOUNT', prefix .. 'failures:' .. ask.wallet, now - HOUR_MS, '+inf') >= ask.failuresLimit then
    return 'throttled'
  elseif used + ask.amount > ask.budget then
    return 'daily_budget_exhausted'
  elseif isNew and ask.scope ~= '' and ask.grantsLimit > 0 then
    if tonumber(redis.call('GET', prefix .. 'grants:' .. day .. ':' .. ask.scope) or '0') >= ask.grantsLimit then
      return 'grants_exhausted'
    end
  end
  return nil
end

-- Its day's keys outlive the day by two: none is needed once the day can no longer be reserved in.
local function keepDay(key, day, now)
  redis.call('PEXPIRE', key, int((day + 3) * DAY_MS - now))
end

local function openAccount(prefix, ask, sequence, day, now)
  append(prefix, sequence, 'type', 'grant', 'wallet', ask.wallet, 'amount', int(ask.grant), 'at', int(now))
  redis.call('HSET', prefix .. 'wallet:' .. ask.wallet, 'balance', int(ask.grant), 'reserved', '0', 'spent', '0')
  if ask.scope ~= '' then
    local key = prefix .. 'grants:' .. day .. ':' .. ask.scope
    redis.call('INCR', key)
    keepDay(key, day, now)
  end
end

local function setAside(prefix, ask, sequence, day, now)
  local amount = int(ask.amount)
  append(prefix, sequence, 'type', 'reserve', 'id', ask.id, 'wallet', ask.wallet, 'nonce', ask.nonce, 'amount', amount,
    'operation', ask.operation, 'day', int(day), 'budget', int(ask.budget), 'at', int(now))
  local wallet = prefix .. 'wallet:' .. ask.wallet
  local balance = redis.call('HINCRBY', wallet, 'balance', '-' .. amount)
  redis.call('HINCRBY', wallet, 'reserved', amount)
  redis.call('HSET', wallet, 'sequence', int(sequence))
  redis.call('HSET', prefix .. 'reservation:' .. ask.id, 'state', 'pending', 'wallet', ask.wallet, 'nonce', ask.nonce,
    'amount', amount, 'operation', ask.operation, 'day', int(day), 'balance', int(balance))
  redis.call('ZADD', prefix .. 'pending', int(ask.deadline), ask.id)
  local dayKey = prefix .. 'day:' .. int(day)
  redis.call('HINCRBY', dayKey, 'used', amount)
  redis.call('HSET', dayKey, 'sequence', int(sequence))
  keepDay(dayKey, day, now)
  return balance
end

local function reserve(keys, args)
  local prefix = keys[1]
  local epoch, seen, given = unpack(args, 1, 3)
  local ask = {
    id = args[4], wallet = args[5], nonce = args[6], operation = args[7], amount = tonumber(args[8]),
    expiration = tonumber(args[9]), deadline = tonumber(args[10]), token = args[11], scope = args[12],
    grant = tonumber(args[13]), budget = tonumber(args[14]), grantsLimit = tonumber(args[15]), failuresLimit = tonumber(args[16]),
  }
  local sequence, isBehind = position(prefix, epoch, seen)
  if isBehind then
    return { 'rolled_back', '0', int(sequence) }
  end
  local recalled = recall(prefix, ask)
  if recalled then
    if not recalled.err then
      recalled[3] = int(sequence)
    end
    return recalled
  end
  local now = clock(given)
  local day = math.floor(now / DAY_MS)
  local balance, isNew = account(prefix, ask.wallet, ask.grant)
  local refused = refusal(prefix, ask, now)
  if refused then
    return { refused, int(balance), int(sequence) }
  end
  local denied = denial(prefix, ask, now, day, balance, isNew)
  if not denied then
    if isNew then
      sequence = sequence + 1
      openAccount(prefix, ask, sequence, day, now)
    end
    sequence = sequence + 1
    balance = setAside(prefix, ask, sequence, day, now)
  end
  local state = denied or 'reserved'
  local burnt = ask.id .. '|' .. state .. '|' .. int(balance)
  redis.call('SET', prefix .. 'nonce:' .. ask.nonce, burnt, 'PX', int(ask.expiration + NONCE_GRACE_MS - now))
  return { state, int(balance), int(sequence) }
end

-- A reservation that was never seen: refused for a day, whenever its reserve arrives.
local function bury(prefix, id, reason, sequence, now)
  append(prefix, sequence, 'type', 'tombstone', 'id', id, 'reason', reason, 'at', int(now))
  redis.call('HSET', prefix .. 'reservation:' .. id, 'state', 'voided')
  redis.call('PEXPIRE', prefix .. 'reservation:' .. id, DAY_MS)
end

local function giveBack(prefix, record, id, reason, sequence, now)
  redis.call('HINCRBY', prefix .. 'wallet:' .. record.wallet, 'balance', record.amount)
  -- A day that expired takes nothing back: it would come to life with a negative sum.
  local dayKey = prefix .. 'day:' .. record.day
  if redis.call('EXISTS', dayKey) == 1 then
    redis.call('HINCRBY', dayKey, 'used', '-' .. record.amount)
    redis.call('HSET', dayKey, 'sequence', int(sequence))
  end
  if reason == 'operation_failed' then
    local failures = prefix .. 'failures:' .. record.wallet
    redis.call('ZREMRANGEBYSCORE', failures, '-inf', '(' .. int(now - HOUR_MS))
    redis.call('ZADD', failures, int(now), id)
    redis.call('PEXPIRE', failures, HOUR_MS)
  end
end

local function resolve(prefix, args, wanted)
  local epoch, seen, given, id, reason = unpack(args)
  local sequence, isBehind = position(prefix, epoch, seen)
  if isBehind then
    return { 'rolled_back', '', int(sequence) }
  end
  local key = prefix .. 'reservation:' .. id
  local stored = redis.call('HMGET', key, 'state', 'wallet', 'amount', 'day')
  local record = { state = stored[1], wallet = stored[2], amount = stored[3], day = stored[4] }
  local now = clock(given)
  if not record.state then
    if wanted == 'posted' then
      return { 'unknown', '', int(sequence) }
    end
    bury(prefix, id, reason, sequence + 1, now)
    return { 'voided', '', int(sequence + 1) }
  end
  if record.state == 'pending' then
    local wallet = prefix .. 'wallet:' .. record.wallet
    sequence = sequence + 1
    append(prefix, sequence, 'type', wanted == 'posted' and 'post' or 'void', 'id', id, 'reason', reason, 'at', int(now))
    redis.call('HSET', key, 'state', wanted)
    redis.call('PEXPIRE', key, DAY_MS)
    redis.call('ZREM', prefix .. 'pending', id)
    redis.call('HINCRBY', wallet, 'reserved', '-' .. record.amount)
    redis.call('HSET', wallet, 'sequence', int(sequence))
    if wanted == 'posted' then
      redis.call('HINCRBY', wallet, 'spent', record.amount)
    else
      giveBack(prefix, record, id, reason, sequence, now)
    end
    record.state = wanted
  end
  local balance = record.wallet and redis.call('HGET', prefix .. 'wallet:' .. record.wallet, 'balance') or ''
  return { record.state, balance, int(sequence) }
end

local function post(keys, args)
  return resolve(keys[1], args, 'posted')
end

local function void(keys, args)
  return resolve(keys[1], args, 'voided')
end

local function budget(keys, args)
  local day = int(math.floor(clock(args[1]) / DAY_MS))
  return { day, redis.call('HGET', keys[1] .. 'day:' .. day, 'used') or '0' }
end

local function overdue(keys, args)
  local prefix, now, grace, limit = keys[1], clock(args[1]), tonumber(args[2]), args[3]
  local due = redis.call('ZRANGEBYSCORE', prefix .. 'pending', '-inf', '(' .. int(now - grace), 'WITHSCORES', 'LIMIT', 0, limit)
  local found = {}
  for i = 1, #due, 2 do
    local record = redis.call('HMGET', prefix .. 'reservation:' .. due[i], 'wallet', 'operation', 'amount')
    found[#found + 1] = { due[i], record[1], record[2], record[3], due[i + 1] }
  end
  return found
end

redis.register_function('tollhouse_open', open)
redis.register_function('tollhouse_reserve', reserve)
-- What was reserved must be resolved even when memory has run out.
redis.register_function({ function_name = 'tollhouse_post', callback = post, flags = { 'allow-oom' } })
redis.register_function({ function_name = 'tollhouse_void', callback = void, flags = { 'allow-oom' } })
redis.register_function({ function_name = 'tollhouse_budget', callback = budget, flags = { 'no-writes' } })
redis.register_function({ function_name = 'tollhouse_overdue', callback = overdue, flags = { 'no-writes' } })
