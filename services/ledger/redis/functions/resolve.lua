-- Ends a reservation: posts or voids it.

-- Voids an unknown reservation, so that its reserve is refused if it arrives within a day.
local function bury(book, key, id, reason)
  append(book, 'tombstone|' .. id .. '|' .. reason .. '|' .. book.time)
  keepFor(book, key, 'voided|||0||0|', DAY_MS)
end

-- Moves a reserved amount: a post spends it, and a void returns it. `day` is the day of the reservation.
local function endReservation(book, wallet, cost, day, wanted, reason)
  local meta = book.meta
  wallet.sequence = meta.sequence
  wallet.reserved = wallet.reserved - cost
  if wanted == 'posted' then
    wallet.spent = wallet.spent + cost
  else
    wallet.balance = wallet.balance + cost
    -- A reservation of a channel is of no day.
    if day == meta.day and day > 0 then
      meta.used = meta.used - cost
    end
    if reason == 'caller_failed' then
      wallet.failures = recentFailures(wallet.failures, book.now) .. book.time
    end
  end
end

-- Returns the state and balance to answer. The texts of the reservation and of its wallet have been read.
local function resolve(book, key, id, reason, wanted)
  local stored = book.texts[key]
  if not stored and wanted == 'posted' then
    return 'unknown', ''
  elseif not stored then
    bury(book, key, id, reason)
    return 'voided', ''
  end
  local state, address, amount, day = string.match(stored, '^(%a+)|([^|]*)|[^|]*|(%d+)|[^|]*|(%d+)|')
  if address == '' then
    return 'voided', ''
  end
  local walletKey = book.prefix .. 'wallet:' .. address
  local wallet = parseWallet(book.texts[walletKey])
  if state == 'pending' then
    append(book, (wanted == 'posted' and 'post|' or 'void|') .. id .. '|' .. reason .. '|' .. book.time)
    endReservation(book, wallet, tonumber(amount), tonumber(day), wanted, reason)
    keep(book, walletKey, formatWallet(wallet))
    -- The fields after the state stay as they are.
    keepFor(book, key, wanted .. string.sub(stored, #state + 1), DAY_MS)
    book.done[#book.done + 1] = id
    state = wanted
  end
  return state, int(wallet.balance)
end

local ID_ARGS = 2

-- Reads the reservations, and then their wallets. Returns the keys of the reservations.
local function readReservations(book, args, first)
  local prefix, texts, keys, walletKeys = book.prefix, book.texts, {}, {}
  for i = first, #args, ID_ARGS do
    keys[#keys + 1] = prefix .. 'reservation:' .. args[i]
  end
  readAll(book, keys)
  for _, key in ipairs(keys) do
    local address = texts[key] and string.match(texts[key], '^%a+|([^|]+)|')
    if address then
      walletKeys[#walletKeys + 1] = prefix .. 'wallet:' .. address
    end
  end
  readAll(book, walletKeys)
  return keys
end

local function resolveAll(prefix, args, wanted)
  local epoch, seen, given = unpack(args, 1, 3)
  local book = openBook(prefix, given)
  if isBehind(book.meta, epoch, seen) then
    return { 'rolled_back', int(book.meta.sequence) }
  end
  local reservationKeys = readReservations(book, args, 4)
  local answer = { 'done', '' }
  for n, key in ipairs(reservationKeys) do
    local i = 2 + ID_ARGS * n
    answer[2 * n + 1], answer[2 * n + 2] = resolve(book, key, args[i], args[i + 1], wanted)
  end
  return finish(book, answer)
end

local function post(keys, args)
  return resolveAll(keys[1], args, 'posted')
end

local function void(keys, args)
  return resolveAll(keys[1], args, 'voided')
end
