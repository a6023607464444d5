-- Ends a reservation: posts or voids it.

-- Voids an unknown reservation, so that its reserve is refused if it arrives within a day.
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
    if reason == 'caller_failed' then
      wallet.failures = recentFailures(wallet.failures, book.now) .. book.time
    end
  end
  book.done[#book.done + 1] = id
end

-- Returns the state and balance to answer.
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
  return finish(book, answer)
end

local function post(keys, args)
  return resolveAll(keys[1], args, 'posted')
end

local function void(keys, args)
  return resolveAll(keys[1], args, 'voided')
end
