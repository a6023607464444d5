#!lua name=tollhouse_ledger

-- The wallets' credit as two-phase transfers with a journal. Each function is atomic and idempotent by id.
-- reserve, post and void take many subjects at once, for under load most of the cost of a call is around it (command,
-- MULTI, answer), and answer for each. Subjects are decided in order, as if each had come alone.
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
-- All reads come before the first write: an error in the middle of a function would not be undone. Hence the book:
-- what a call has read, as it is after the subjects decided so far, and what is to be written at the end.
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
  return string.format('%s|%d|%d|%d', meta.epoch, meta.sequence, meta.day, meta.used)
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
  return string.format('%d|%d|%d|%d|%s', wallet.balance, wallet.reserved, wallet.spent, wallet.sequence, wallet.failures)
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

local function openBook(prefix, given)
  local texts = {}
  local book = {
    prefix = prefix, texts = texts, meta = parseMeta(redis.call('GET', prefix .. 'meta')), now = clock(given),
    entries = {}, lasting = {}, passing = {}, due = {}, done = {}, unlocked = {},
  }
  book.time = int(book.now)
  return book
end

local function readAll(book, keys)
  for i, text in ipairs(redis.call('MGET', unpack(keys))) do
    book.texts[keys[i]] = text
  end
end

local function read(book, key)
  if book.texts[key] == nil then
    book.texts[key] = redis.call('GET', key)
  end
  return book.texts[key]
end

local function keep(book, key, text)
  local lasting = book.lasting
  book.texts[key] = text
  lasting[#lasting + 1] = key
  lasting[#lasting + 1] = text
end

local function keepFor(book, key, text, ms)
  book.texts[key] = text
  book.passing[#book.passing + 1] = { key, text, ms }
end

local function append(book, entry)
  book.meta.sequence = book.meta.sequence + 1
  book.entries[#book.entries + 1] = entry
end

-- The journal goes first: when it cannot take an entry, nothing happened.
local function closeBook(book)
  local prefix, entries = book.prefix, book.entries
  local before = book.meta.sequence - #entries
  for i, entry in ipairs(entries) do
    redis.call('XADD', prefix .. 'journal', int(before + i) .. '-0', 'entry', entry)
  end
  if #entries > 0 then
    redis.call('MSET', prefix .. 'meta', formatMeta(book.meta), unpack(book.lasting))
  end
  for _, passing in ipairs(book.passing) do
    redis.call('SET', passing[1], passing[2], 'PX', passing[3])
  end
  if #book.due > 0 then
    redis.call('ZADD', prefix .. 'pending', unpack(book.due))
  end
  if #book.done > 0 then
    redis.call('ZREM', prefix .. 'pending', unpack(book.done))
  end
  if #book.unlocked > 0 then
    redis.call('DEL', unpack(book.unlocked))
  end
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
local function refusal(ask, now, burnt, holder)
  if now > ask.expiration then
    return 'expired'
  elseif now > tonumber(ask.deadline) then
    return 'deadline_passed'
  elseif burnt then
    return 'nonce_replayed'
  elseif holder ~= ask.token then
    return 'lock_lost'
  end
  return nil
end

local function isThrottled(wallet, limit, now)
  if wallet.failures == '' or limit == 0 then
    return false
  end
  local _, count = recentFailures(wallet.failures, now)
  return count >= limit
end

local function grantsKey(book, scope)
  return book.prefix .. 'grants:' .. int(book.meta.day) .. ':' .. scope
end

local function isGrantRefused(book, limit, ask, wallet)
  if not wallet.isNew or ask.scope == '' or limit == 0 then
    return false
  end
  return tonumber(read(book, grantsKey(book, ask.scope)) or '0') >= limit
end

-- Reasons that burn the nonce.
local function denial(book, limits, ask, wallet)
  if wallet.balance < ask.cost then
    return 'insufficient_balance'
  elseif isThrottled(wallet, limits.failures, book.now) then
    return 'throttled'
  elseif book.meta.used + ask.cost > limits.budget then
    return 'daily_budget_exhausted'
  elseif isGrantRefused(book, limits.grants, ask, wallet) then
    return 'grants_exhausted'
  end
  return nil
end

local function setAside(book, limits, ask, wallet)
  local meta, day = book.meta, int(book.meta.day)
  meta.used = meta.used + ask.cost
  wallet.balance = wallet.balance - ask.cost
  wallet.reserved = wallet.reserved + ask.cost
  append(book, 'reserve|' .. ask.id .. '|' .. ask.address .. '|' .. ask.nonce .. '|' .. ask.amount .. '|' .. ask.operation
    .. '|' .. day .. '|' .. limits.budgetText .. '|' .. (wallet.isNew and limits.grant or '0') .. '|' .. book.time)
  wallet.sequence = meta.sequence
  keep(book, ask.walletKey, formatWallet(wallet))
  keep(book, ask.reservationKey, formatReservation({
    state = 'pending', address = ask.address, nonce = ask.nonce, amount = ask.amount,
    operation = ask.operation, day = day, balance = int(wallet.balance),
  }))
  book.due[#book.due + 1] = ask.deadline
  book.due[#book.due + 1] = ask.id
  if wallet.isNew and ask.scope ~= '' then
    local key = grantsKey(book, ask.scope)
    keepFor(book, key, int(tonumber(read(book, key) or '0') + 1), 2 * DAY_MS)
  end
end

-- The state and balance to answer.
local function decide(book, limits, ask)
  local texts = book.texts
  local wallet, burnt, holder = parseWallet(texts[ask.walletKey], limits.grant), texts[ask.nonceKey], texts[ask.lockKey]
  -- Whatever the outcome, the caller is done with the lock: this saves it from coming again to give it back.
  if holder == ask.token then
    book.unlocked[#book.unlocked + 1] = ask.lockKey
  end
  local state, balance = recall(ask, parseReservation(texts[ask.reservationKey]), burnt, wallet)
  if state then
    return state, balance
  end
  state = refusal(ask, book.now, burnt, holder)
  if state then
    return state, int(wallet.balance)
  end
  state = denial(book, limits, ask, wallet)
  if not state then
    state = 'reserved'
    setAside(book, limits, ask, wallet)
  end
  balance = int(wallet.balance)
  local keepMs = int(ask.expiration + NONCE_GRACE_MS - book.now)
  keepFor(book, ask.nonceKey, ask.id .. '|' .. state .. '|' .. balance, keepMs)
  return state, balance
end

local ASK_ARGS = 9

local function parseAsk(prefix, args, i)
  local id, address, nonce, operation, amount, expiration, deadline, token, scope = unpack(args, i, i + ASK_ARGS - 1)
  return {
    id = id, address = address, nonce = nonce, operation = operation, amount = amount, cost = tonumber(amount),
    expiration = tonumber(expiration), deadline = deadline, token = token, scope = scope,
    walletKey = prefix .. 'wallet:' .. address, reservationKey = prefix .. 'reservation:' .. id,
    nonceKey = prefix .. 'nonce:' .. nonce, lockKey = prefix .. 'lock:' .. address,
  }
end

local function reserve(keys, args)
  local prefix = keys[1]
  local epoch, seen, given, grant, budget, grants, failures = unpack(args, 1, 7)
  local limits = { grant = grant, budget = tonumber(budget), budgetText = budget, grants = tonumber(grants), failures = tonumber(failures) }
  local book = openBook(prefix, given)
  if isBehind(book.meta, epoch, seen) then
    return { 'rolled_back', int(book.meta.sequence) }
  end
  turnDay(book.meta, book.now)
  local asks, wanted = {}, {}
  for i = 8, #args, ASK_ARGS do
    local ask, n = parseAsk(prefix, args, i), #wanted
    asks[#asks + 1] = ask
    wanted[n + 1], wanted[n + 2], wanted[n + 3], wanted[n + 4] = ask.walletKey, ask.reservationKey, ask.nonceKey, ask.lockKey
  end
  readAll(book, wanted)
  local answer = { 'done', '' }
  for _, ask in ipairs(asks) do
    local state, balance = decide(book, limits, ask)
    answer[#answer + 1] = state
    answer[#answer + 1] = balance
  end
  closeBook(book)
  answer[2] = int(book.meta.sequence)
  return answer
end

-- A reservation that was never seen: refused for a day, whenever its reserve arrives.
local function bury(book, key, id, reason)
  append(book, 'tombstone|' .. id .. '|' .. reason .. '|' .. book.time)
  local record = { state = 'voided', address = '', nonce = '', amount = '0', operation = '', day = '0', balance = '' }
  keepFor(book, key, formatReservation(record), DAY_MS)
end

local function resolvePending(book, id, record, wallet, wanted, reason)
  append(book, (wanted == 'posted' and 'post|' or 'void|') .. id .. '|' .. reason .. '|' .. book.time)
  local meta, cost = book.meta, tonumber(record.amount)
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
      wallet.failures = recentFailures(wallet.failures, book.now) .. book.time
    end
  end
  book.done[#book.done + 1] = id
end

-- The state and balance to answer.
local function resolve(book, id, reason, wanted)
  local key = book.prefix .. 'reservation:' .. id
  local record = parseReservation(read(book, key))
  if not record and wanted == 'posted' then
    return 'unknown', ''
  elseif not record then
    bury(book, key, id, reason)
    return 'voided', ''
  elseif record.address == '' then
    return 'voided', ''
  end
  local walletKey = book.prefix .. 'wallet:' .. record.address
  local wallet = parseWallet(read(book, walletKey))
  if record.state == 'pending' then
    resolvePending(book, id, record, wallet, wanted, reason)
    keep(book, walletKey, formatWallet(wallet))
    keepFor(book, key, formatReservation(record), DAY_MS)
  end
  return record.state, int(wallet.balance)
end

local function resolveAll(prefix, args, wanted)
  local epoch, seen, given = unpack(args, 1, 3)
  local book = openBook(prefix, given)
  if isBehind(book.meta, epoch, seen) then
    return { 'rolled_back', int(book.meta.sequence) }
  end
  local answer = { 'done', '' }
  for i = 4, #args, 2 do
    local state, balance = resolve(book, args[i], args[i + 1], wanted)
    answer[#answer + 1] = state
    answer[#answer + 1] = balance
  end
  closeBook(book)
  answer[2] = int(book.meta.sequence)
  return answer
end

local function post(keys, args)
  return resolveAll(keys[1], args, 'posted')
end

local function void(keys, args)
  return resolveAll(keys[1], args, 'voided')
end

-- Of each address and token: 1 where the token now holds the wallet's lock for a time.
local function lock(keys, args)
  local answer = {}
  for i = 2, #args, 2 do
    local isHeld = redis.call('SET', keys[1] .. 'lock:' .. args[i], args[i + 1], 'NX', 'PX', args[1])
    answer[#answer + 1] = isHeld and 1 or 0
  end
  return answer
end

-- Of each address and token: 1 where the token held the wallet's lock until now.
local function unlock(keys, args)
  local answer = {}
  for i = 1, #args, 2 do
    local key = keys[1] .. 'lock:' .. args[i]
    answer[#answer + 1] = redis.call('GET', key) == args[i + 1] and redis.call('DEL', key) or 0
  end
  return answer
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
redis.register_function('tollhouse_lock', lock)
redis.register_function('tollhouse_unlock', unlock)
redis.register_function('tollhouse_reserve', reserve)
-- What was reserved must be resolved even when memory has run out.
redis.register_function({ function_name = 'tollhouse_post', callback = post, flags = { 'allow-oom' } })
redis.register_function({ function_name = 'tollhouse_void', callback = void, flags = { 'allow-oom' } })
redis.register_function({ function_name = 'tollhouse_wallets', callback = wallets, flags = { 'no-writes' } })
redis.register_function({ function_name = 'tollhouse_totals', callback = totals, flags = { 'no-writes' } })
redis.register_function({ function_name = 'tollhouse_overdue', callback = overdue, flags = { 'no-writes' } })
