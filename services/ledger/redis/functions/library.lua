-- Functions that need no book, and the registration of all functions.

local function open(keys, args)
  local key = keys[1] .. 'meta'
  redis.call('SET', key, formatMeta({ epoch = args[1], sequence = 0, day = 0, used = 0 }), 'NX')
  local meta = readMeta(keys[1])
  return { meta.epoch, int(meta.sequence) }
end

-- ARGV: lifetime of the locks in ms, then addresses and tokens. Answers for each pair 1 if the token has the lock now.
local function lock(keys, args)
  readMeta(keys[1])
  local answer = {}
  for i = 2, #args, 2 do
    local isHeld = redis.call('SET', keys[1] .. 'lock:' .. args[i], args[i + 1], 'NX', 'PX', args[1])
    answer[#answer + 1] = isHeld and 1 or 0
  end
  return answer
end

-- ARGV: addresses and tokens. Answers for each pair 1 if the token had the lock, which is released.
local function unlock(keys, args)
  readMeta(keys[1])
  local answer = {}
  for i = 1, #args, 2 do
    local key = keys[1] .. 'lock:' .. args[i]
    answer[#answer + 1] = redis.call('GET', key) == args[i + 1] and redis.call('DEL', key) or 0
  end
  return answer
end

-- ARGV: addresses. Answers for each balance, reserved, spent and sequence, or nothing for a wallet without an account.
local function wallets(keys, args)
  readMeta(keys[1])
  local found = {}
  for i, address in ipairs(args) do
    local stored = redis.call('GET', keys[1] .. 'wallet:' .. address)
    local wallet = parseWallet(stored, 0)
    found[i] = stored and { int(wallet.balance), int(wallet.reserved), int(wallet.spent), int(wallet.sequence) } or {}
  end
  return found
end

local function totals(keys, args)
  local meta = readMeta(keys[1])
  turnDay(meta, clock(args[1]))
  return { meta.epoch, int(meta.sequence), int(meta.day), int(meta.used), int(redis.call('ZCARD', keys[1] .. 'pending')) }
end

-- Summing must not hold up Redis for long.
local SUMMED = 1000

-- Answers how many reservations are open, how many of them are summed, their sum, and the least id of them, or nothing.
-- Ids begin with the time.
local function open_reservations(keys)
  readMeta(keys[1])
  local prefix = keys[1]
  local ids, names, sum, least = redis.call('ZRANGE', prefix .. 'pending', 0, SUMMED - 1), {}, 0, ''
  for i, id in ipairs(ids) do
    names[i] = prefix .. 'reservation:' .. id
    if least == '' or id < least then
      least = id
    end
  end
  for _, stored in ipairs(#names > 0 and redis.call('MGET', unpack(names)) or {}) do
    sum = sum + tonumber(parseReservation(stored).amount)
  end
  return { int(redis.call('ZCARD', prefix .. 'pending')), int(#ids), int(sum), least }
end

local OVERDUE_PAGE = 500

-- ARGV: time, grace, limit, and `calls` or `refunds`. Refunds stay open until the chain decides about them, so many open refunds
-- must not hide the calls that are overdue.
local function overdue(keys, args)
  readMeta(keys[1])
  local prefix, limit, isRefundWanted = keys[1], tonumber(args[3]), args[4] == 'refunds'
  local latest = '(' .. int(clock(args[1]) - tonumber(args[2]))
  local found, from, due = {}, 0, nil
  repeat
    due = redis.call('ZRANGEBYSCORE', prefix .. 'pending', '-inf', latest, 'WITHSCORES', 'LIMIT', from, OVERDUE_PAGE)
    for i = 1, #due, 2 do
      local record = parseReservation(redis.call('GET', prefix .. 'reservation:' .. due[i]))
      if #found < limit and (record.operation == REFUND_OPERATION) == isRefundWanted then
        found[#found + 1] = { due[i], record.address, record.operation, record.amount, due[i + 1] }
      end
    end
    from = from + OVERDUE_PAGE
  until #due < 2 * OVERDUE_PAGE or #found == limit
  return found
end

register('open', open)
register('lock', lock)
register('unlock', unlock)
register('reserve', reserve)
-- Open reservations must be resolved even when Redis is full.
register('post', post, { 'allow-oom' })
register('void', void, { 'allow-oom' })
register('charge', charge)
register('fund', fund, { 'allow-oom' })
register('channels', channels, { 'no-writes' })
register('wallets', wallets, { 'no-writes' })
register('totals', totals, { 'no-writes' })
register('open_reservations', open_reservations, { 'no-writes' })
register('overdue', overdue, { 'no-writes' })
