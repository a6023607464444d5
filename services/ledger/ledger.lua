#!lua name=tollhouse_ledger

-- The wallets' credit as two-phase transfers with a journal. Each function is atomic and idempotent by id.
-- KEYS[1] is the prefix "tollhouse:{<CAIP-2 network>}:". Every other key is derived from it and shares its hash
-- tag, hence its slot: some depend on what is stored (the reservation's wallet), so no caller could name them all.
--
--   meta              epoch|sequence|day|used: of the journal, and of the budget of the last day something was reserved
--   wallet:<address>  balance|reserved|spent|sequence|times of recent failures
--   reservation:<id>  state|address|nonce|amount|operation|day|balance, where the balance is what reserve answered
--   nonce:<nonce>     id|state|balance of the reserve that burnt it
--   journal           stream of entries <sequence>-0, never changed, with one field `entry`:
--                     reserve|id|address|nonce|amount|operation|day|budget|grant|time, where the grant is 0 or a new account's
--                     post|id||time, void|id|reason|time, tombstone|id|reason|time
--   pending           sorted set of ids by deadline
--   grants:<day>:<scope>   how many accounts were opened
--   lock:<address>    redlock's token
--
-- Amounts, times and sequences stay below 2^53, where Lua's doubles are exact; the adapter checks amounts.
-- All reads come before the first write: an error in the middle of a function would not be undone.
-- In Lua, a call of Redis costs as much as five conversions between number and text, and these cost more than all
-- else: hence records, MGET and MSET, and amounts that stay text while nobody counts with them.

local DAY_MS = 86400000
local HOUR_MS = 3600000
local NONCE_GRACE_MS = 120000

local function int(number)
  return string.format('%d', number)
end

-- One clock decides for all copies. Tests alone pass another time, to cross midnight.
local function clock(given)
  if given ~= '' then
    return tonumber(given)
  end
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function parseMeta(stored)
  local epoch, sequence, day, used = string.match(stored or '|-1|0|0', '^(.-)|(-?%d+)|(%d+)|(%d+)$')
  return { epoch = epoch, sequence = tonumber(sequence), day = tonumber(day), used = tonumber(used) }
end

local function formatMeta(meta)
  return meta.epoch .. '|' .. int(meta.sequence) .. '|' .. int(meta.day) .. '|' .. int(meta.used)
end

-- The budget is of one day, and days never go back, whatever the clock does.
local function turnDay(meta, now)
  local today = math.floor(now / DAY_MS)
  if today > meta.day then
    meta.day, meta.used = today, 0
  end
end

-- A caller that saw more of the journal than there is, or another ledger, knows that this one lost answers it gave.
local function isBehind(meta, epoch, seen)
  return meta.epoch ~= epoch or meta.sequence < tonumber(seen)
end

local function parseWallet(stored, grant)
  if not stored then
    return { balance = tonumber(grant), reserved = 0, spent = 0, sequence = 0, failures = '', isNew = true }
  end
  local balance, reserved, spent, sequence, failures = string.match(stored, '^(%d+)|(%d+)|(%d+)|(%d+)|(.*)$')
  return { balance = tonumber(balance), reserved = tonumber(reserved), spent = tonumber(spent), sequence = tonumber(sequence), failures = failures }
end

local function formatWallet(wallet)
  return int(wallet.balance) .. '|' .. int(wallet.reserved) .. '|' .. int(wallet.spent) .. '|' .. int(wallet.sequence) .. '|' .. wallet.failures
end

local function parseReservation(stored)
  if not stored then
    return nil
  end
  local pattern = '^([^|]*)|([^|]*)|([^|]*)|([^|]*)|([^|]*)|([^|]*)|([^|]*)$'
  local state, address, nonce, amount, operation, day, balance = string.match(stored, pattern)
  return { state = state, address = address, nonce = nonce, amount = amount, operation = operation, day = day, balance = balance }
end

local function formatReservation(record)
  return record.state .. '|' .. record.address .. '|' .. record.nonce .. '|' .. record.amount .. '|' .. record.operation
    .. '|' .. record.day .. '|' .. record.balance
end

-- Failures within the last hour, as "time,time,", the oldest first.
local function recentFailures(failures, now)
  local recent, count = '', 0
  for time in string.gmatch(failures, '%d+') do
    if tonumber(time) > now - HOUR_MS then
      recent, count = recent .. time .. ',', count + 1
    end
  end
  return recent, count
end

-- The first write of every function: when the journal cannot take the entry, nothing happened.
local function append(prefix, meta, entry)
  meta.sequence = meta.sequence + 1
  redis.call('XADD', prefix .. 'journal', int(meta.sequence) .. '-0', 'entry', entry)
end

local function open(keys, args)
  local key = keys[1] .. 'meta'
  redis.call('SET', key, formatMeta({ epoch = args[1], sequence = 0, day = 0, used = 0 }), 'NX')
  local meta = parseMeta(redis.call('GET', key))
  return { meta.epoch, int(meta.sequence) }
end

-- The first outcome of an id that was seen before, or nil.
local function recall(ask, known, burnt, wallet)
  if known and known.address == '' then
    return 'voided', int(wallet.balance)
  elseif known and (known.address ~= ask.address or known.nonce ~= ask.nonce or known.amount ~= ask.amount) then
    return 'conflict', '0'
  elseif known then
    return known.state == 'voided' and 'voided' or 'reserved', known.balance
  elseif burnt then
    local id, state, balance = string.match(burnt, '^(.-)|(.-)|(.-)$')
    if id == ask.id then
      return state, balance
    end
  end
  return nil
end

-- Reasons that leave everything as it is.
local function refusal(ask, now, burnt, token)
  if now > ask.expiration then
    return 'expired'
  elseif now > tonumber(ask.deadline) then
    return 'deadline_passed'
  elseif burnt then
    return 'nonce_replayed'
  elseif token ~= ask.token then
    return 'lock_lost'
  end
  return nil
end

local function isThrottled(ask, wallet, now)
  if wallet.failures == '' or ask.failuresLimit == '0' then
    return false
  end
  local _, count = recentFailures(wallet.failures, now)
  return count >= tonumber(ask.failuresLimit)
end

local function isGrantRefused(ask, wallet, grantsKey)
  if not wallet.isNew or ask.scope == '' or ask.grantsLimit == '0' then
    return false
  end
  return tonumber(redis.call('GET', grantsKey) or '0') >= tonumber(ask.grantsLimit)
end

-- Reasons that burn the nonce.
local function denial(ask, meta, wallet, now, grantsKey)
  if wallet.balance < ask.cost then
    return 'insufficient_balance'
  elseif isThrottled(ask, wallet, now) then
    return 'throttled'
  elseif meta.used + ask.cost > tonumber(ask.budget) then
    return 'daily_budget_exhausted'
  elseif isGrantRefused(ask, wallet, grantsKey) then
    return 'grants_exhausted'
  end
  return nil
end

local function setAside(prefix, ask, meta, wallet, now, grantsKey)
  local day = int(meta.day)
  meta.used = meta.used + ask.cost
  wallet.balance = wallet.balance - ask.cost
  wallet.reserved = wallet.reserved + ask.cost
  local record = {
    state = 'pending', address = ask.address, nonce = ask.nonce, amount = ask.amount,
    operation = ask.operation, day = day, balance = int(wallet.balance),
  }
  append(prefix, meta, 'reserve|' .. ask.id .. '|' .. ask.address .. '|' .. ask.nonce .. '|' .. ask.amount .. '|' .. ask.operation
    .. '|' .. day .. '|' .. ask.budget .. '|' .. (wallet.isNew and ask.grant or '0') .. '|' .. int(now))
  wallet.sequence = meta.sequence
  redis.call('MSET', prefix .. 'meta', formatMeta(meta), prefix .. 'wallet:' .. ask.address, formatWallet(wallet),
    prefix .. 'reservation:' .. ask.id, formatReservation(record))
  redis.call('ZADD', prefix .. 'pending', ask.deadline, ask.id)
  if wallet.isNew and ask.scope ~= '' then
    redis.call('INCR', grantsKey)
    redis.call('PEXPIRE', grantsKey, 2 * DAY_MS)
  end
end

local function reserve(keys, args)
  local prefix = keys[1]
  local ask = {
    id = args[4], address = args[5], nonce = args[6], operation = args[7], amount = args[8], cost = tonumber(args[8]),
    expiration = tonumber(args[9]), deadline = args[10], token = args[11], scope = args[12],
    grant = args[13], budget = args[14], grantsLimit = args[15], failuresLimit = args[16],
  }
  local stored = redis.call('MGET', prefix .. 'meta', prefix .. 'wallet:' .. ask.address, prefix .. 'reservation:' .. ask.id,
    prefix .. 'nonce:' .. ask.nonce, prefix .. 'lock:' .. ask.address)
  local meta, wallet, burnt = parseMeta(stored[1]), parseWallet(stored[2], ask.grant), stored[4]
  if isBehind(meta, args[1], args[2]) then
    return { 'rolled_back', '0', int(meta.sequence) }
  end
  local state, balance = recall(ask, parseReservation(stored[3]), burnt, wallet)
  if state then
    return { state, balance, int(meta.sequence) }
  end
  local now = clock(args[3])
  local refused = refusal(ask, now, burnt, stored[5])
  if refused then
    return { refused, int(wallet.balance), int(meta.sequence) }
  end
  turnDay(meta, now)
  local grantsKey = prefix .. 'grants:' .. meta.day .. ':' .. ask.scope
  state = denial(ask, meta, wallet, now, grantsKey)
  if not state then
    state = 'reserved'
    setAside(prefix, ask, meta, wallet, now, grantsKey)
  end
  balance = int(wallet.balance)
  local keepMs = int(ask.expiration + NONCE_GRACE_MS - now)
  redis.call('SET', prefix .. 'nonce:' .. ask.nonce, ask.id .. '|' .. state .. '|' .. balance, 'PX', keepMs)
  return { state, balance, int(meta.sequence) }
end

-- A reservation that was never seen: refused for a day, whenever its reserve arrives.
local function bury(prefix, id, reason, meta, now)
  append(prefix, meta, 'tombstone|' .. id .. '|' .. reason .. '|' .. int(now))
  redis.call('SET', prefix .. 'meta', formatMeta(meta))
  local record = { state = 'voided', address = '', nonce = '', amount = '0', operation = '', day = '0', balance = '' }
  redis.call('SET', prefix .. 'reservation:' .. id, formatReservation(record), 'PX', DAY_MS)
end

local function resolvePending(prefix, id, record, meta, wallet, wanted, reason, now)
  append(prefix, meta, (wanted == 'posted' and 'post|' or 'void|') .. id .. '|' .. reason .. '|' .. int(now))
  local cost = tonumber(record.amount)
  record.state = wanted
  wallet.sequence = meta.sequence
  wallet.reserved = wallet.reserved - cost
  if wanted == 'posted' then
    wallet.spent = wallet.spent + cost
  else
    wallet.balance = wallet.balance + cost
    if tonumber(record.day) == meta.day then
      meta.used = meta.used - cost
    end
    if reason == 'operation_failed' then
      wallet.failures = recentFailures(wallet.failures, now) .. int(now)
    end
  end
  redis.call('MSET', prefix .. 'meta', formatMeta(meta), prefix .. 'wallet:' .. record.address, formatWallet(wallet))
  redis.call('SET', prefix .. 'reservation:' .. id, formatReservation(record), 'PX', DAY_MS)
  redis.call('ZREM', prefix .. 'pending', id)
end

local function resolve(prefix, args, wanted)
  local epoch, seen, given, id, reason = unpack(args)
  local stored = redis.call('MGET', prefix .. 'meta', prefix .. 'reservation:' .. id)
  local meta, record = parseMeta(stored[1]), parseReservation(stored[2])
  if isBehind(meta, epoch, seen) then
    return { 'rolled_back', '', int(meta.sequence) }
  end
  if not record and wanted == 'posted' then
    return { 'unknown', '', int(meta.sequence) }
  elseif not record then
    bury(prefix, id, reason, meta, clock(given))
    return { 'voided', '', int(meta.sequence) }
  elseif record.address == '' then
    return { 'voided', '', int(meta.sequence) }
  end
  local wallet = parseWallet(redis.call('GET', prefix .. 'wallet:' .. record.address))
  if record.state == 'pending' then
    resolvePending(prefix, id, record, meta, wallet, wanted, reason, clock(given))
  end
  return { record.state, int(wallet.balance), int(meta.sequence) }
end

local function post(keys, args)
  return resolve(keys[1], args, 'posted')
end

local function void(keys, args)
  return resolve(keys[1], args, 'voided')
end

-- Of each address: balance, reserved, spent, sequence; nothing for one without an account.
local function wallets(keys, args)
  local found = {}
  for i, address in ipairs(args) do
    local stored = redis.call('GET', keys[1] .. 'wallet:' .. address)
    local wallet = parseWallet(stored, 0)
    found[i] = stored and { int(wallet.balance), int(wallet.reserved), int(wallet.spent), int(wallet.sequence) } or {}
  end
  return found
end

local function totals(keys, args)
  local meta = parseMeta(redis.call('GET', keys[1] .. 'meta'))
  turnDay(meta, clock(args[1]))
  return { meta.epoch, int(meta.sequence), int(meta.day), int(meta.used), int(redis.call('ZCARD', keys[1] .. 'pending')) }
end

local function overdue(keys, args)
  local prefix, limit = keys[1], args[3]
  local latest = '(' .. int(clock(args[1]) - tonumber(args[2]))
  local due = redis.call('ZRANGEBYSCORE', prefix .. 'pending', '-inf', latest, 'WITHSCORES', 'LIMIT', 0, limit)
  local found = {}
  for i = 1, #due, 2 do
    local record = parseReservation(redis.call('GET', prefix .. 'reservation:' .. due[i]))
    found[#found + 1] = { due[i], record.address, record.operation, record.amount, due[i + 1] }
  end
  return found
end

redis.register_function('tollhouse_open', open)
redis.register_function('tollhouse_reserve', reserve)
-- What was reserved must be resolved even when memory has run out.
redis.register_function({ function_name = 'tollhouse_post', callback = post, flags = { 'allow-oom' } })
redis.register_function({ function_name = 'tollhouse_void', callback = void, flags = { 'allow-oom' } })
redis.register_function({ function_name = 'tollhouse_wallets', callback = wallets, flags = { 'no-writes' } })
redis.register_function({ function_name = 'tollhouse_totals', callback = totals, flags = { 'no-writes' } })
redis.register_function({ function_name = 'tollhouse_overdue', callback = overdue, flags = { 'no-writes' } })
