-- Reserves an amount, or answers why it does not.

-- The first outcome of an id that is known already, or nil.
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

-- Reasons to refuse that change nothing.
local function refusal(ask, now, burnt, holder, proofsFrom)
  if now > ask.expiration then
    return 'expired'
  elseif now > tonumber(ask.deadline) then
    return 'deadline_passed'
  elseif burnt then
    return 'nonce_replayed'
  elseif ask.expiration < proofsFrom then
    -- The proof is older than the last restore, which cannot know whether it was used.
    return 'expired'
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

-- Reasons to refuse that burn the nonce.
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
  local meta, day = book.meta, limits.dayText
  meta.used = meta.used + ask.cost
  wallet.balance = wallet.balance - ask.cost
  wallet.reserved = wallet.reserved + ask.cost
  append(book, 'reserve|' .. ask.id .. '|' .. ask.address .. '|' .. ask.nonce .. '|' .. ask.amount .. '|' .. ask.operation
    .. '|' .. day .. '|' .. limits.budgetText .. '|' .. (wallet.isNew and limits.grant or '0') .. '|' .. book.time)
  wallet.sequence = meta.sequence
  keep(book, ask.walletKey, formatWallet(wallet))
  keep(book, ask.reservationKey, 'pending|' .. ask.address .. '|' .. ask.nonce .. '|' .. ask.amount .. '|' .. ask.operation
    .. '|' .. day .. '|' .. int(wallet.balance))
  local due = book.due
  local n = #due
  due[n + 1], due[n + 2] = ask.deadline, ask.id
  if wallet.isNew and ask.scope ~= '' then
    local key = grantsKey(book, ask.scope)
    keepFor(book, key, int(tonumber(read(book, key) or '0') + 1), 2 * DAY_MS)
  end
end

-- Returns the state and balance to answer.
local function decide(book, limits, ask)
  local texts = book.texts
  local wallet, burnt, holder = parseWallet(texts[ask.walletKey], limits.grant), texts[ask.nonceKey], texts[ask.lockKey]
  -- The caller no longer needs the lock, whatever the outcome. Releasing it here saves a call.
  if holder == ask.token then
    book.unlocked[#book.unlocked + 1] = ask.lockKey
  end
  local known = texts[ask.reservationKey]
  if known or burnt then
    local state, balance = recall(ask, parseReservation(known), burnt, wallet)
    if state then
      return state, balance
    end
  end
  local state = refusal(ask, book.now, burnt, holder, limits.proofsFrom)
  if state then
    return state, int(wallet.balance)
  end
  state = denial(book, limits, ask, wallet)
  if not state then
    state = 'reserved'
    setAside(book, limits, ask, wallet)
  end
  local balance = int(wallet.balance)
  keepFor(book, ask.nonceKey, ask.id .. '|' .. state .. '|' .. balance, ask.expiration + NONCE_GRACE_MS - book.now)
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
  limits.dayText = int(book.meta.day)
  local proofsFromKey = prefix .. 'proofs-from'
  local asks, wanted = {}, { proofsFromKey }
  for i = 8, #args, ASK_ARGS do
    local ask, n = parseAsk(prefix, args, i), #wanted
    asks[#asks + 1] = ask
    wanted[n + 1], wanted[n + 2], wanted[n + 3], wanted[n + 4] = ask.walletKey, ask.reservationKey, ask.nonceKey, ask.lockKey
  end
  readAll(book, wanted)
  limits.proofsFrom = tonumber(book.texts[proofsFromKey] or '0')
  local answer = { 'done', '' }
  for i = 1, #asks do
    answer[2 * i + 1], answer[2 * i + 2] = decide(book, limits, asks[i])
  end
  return finish(book, answer)
end
