-- The wallets' credit as two-phase transfers with a journal. Each function is atomic and idempotent by id.
-- reserve, post and void take many subjects at once and answer for each: under load most of the cost of a call is
-- around it (command, MULTI, answer). Subjects are decided in order, as if each had come alone.
-- KEYS[1] is the prefix "tollhouse:{<CAIP-2 network>}:". Every other key is derived from it and has its hash tag, so all
-- are in one slot. Some keys depend on stored data (the reservation's wallet), so no caller could name them all.
--
--   meta              epoch|sequence|day|used|format: of the journal, and of the budget of the last day something was
--                     reserved. The first format has no number. A later format keeps the number as the fifth field.
--   wallet:<address>  balance|reserved|spent|sequence|times of recent failures
--   reservation:<id>  state|address|nonce|amount|operation|day|balance, where the balance is what reserve answered
--   nonce:<nonce>     id|state|balance of the reserve that burnt it
--   journal           stream of entries <sequence>-0, never changed, with one field `entry`:
--                     reserve|id|address|nonce|amount|operation|day|budget|grant|time, where the grant is 0 or a new account's
--                     post|id||time, void|id|reason|time, tombstone|id|reason|time
--                     A restore adds entries of the same form, with the reason `restored`.
--   pending           sorted set of ids by deadline
--   grants:<day>:<scope>   how many accounts were opened
--   lock:<address>    redlock's token
--   proofs-from       after a restore: proofs that expire before this time were issued before it, and are refused
--
-- Amounts, times and sequences stay below 2^53, where Lua's doubles are exact; the adapter checks amounts.
-- All reads come before the first write, because Redis does not undo writes after an error. The book has what a call has
-- read, as changed by the subjects decided so far, and what to write at the end.
-- In Lua, a call of Redis costs as much as five conversions between number and text, and these cost more than the rest.
-- So there are records, MGET and MSET, and amounts stay text until they are added.

local DAY_MS = 86400000
local HOUR_MS = 3600000
local NONCE_GRACE_MS = 120000

local function int(number)
  return string.format('%d', number)
end

-- The clock of Redis decides for all copies. Only tests pass another time, to cross midnight.
local function clock(given)
  if given ~= '' then
    return tonumber(given)
  end
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- Every function calls it, so that none uses a ledger that a later release has changed.
local function readMeta(prefix)
  local stored = redis.call('GET', prefix .. 'meta') or '|-1|0|0'
  refuseLaterFormat(string.match(stored, '^[^|]*|[^|]*|[^|]*|[^|]*|(%d+)'))
  local epoch, sequence, day, used = string.match(stored, '^(.-)|(-?%d+)|(%d+)|(%d+)$')
  return { epoch = epoch, sequence = tonumber(sequence), day = tonumber(day), used = tonumber(used) }
end

local function formatMeta(meta)
  return string.format('%s|%d|%d|%d', meta.epoch, meta.sequence, meta.day, meta.used)
end

-- The budget is that of one day. Days never go back, whatever the clock does.
local function turnDay(meta, now)
  local today = math.floor(now / DAY_MS)
  if today > meta.day then
    meta.day, meta.used = today, 0
  end
end

-- Whether the ledger lost confirmed writes: the caller saw a later position, or another epoch.
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
    prefix = prefix, texts = texts, meta = readMeta(prefix), now = clock(given),
    entries = {}, lasting = {}, passing = {}, due = {}, done = {}, unlocked = {},
  }
  book.time = int(book.now)
  return book
end

local function readAll(book, keys)
  if #keys == 0 then
    return
  end
  local texts, found = book.texts, redis.call('MGET', unpack(keys))
  for i = 1, #keys do
    texts[keys[i]] = found[i]
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
  local n = #lasting
  book.texts[key] = text
  lasting[n + 1], lasting[n + 2] = key, text
end

-- `ms` is a whole number, which Redis writes exactly.
local function keepFor(book, key, text, ms)
  local passing = book.passing
  local n = #passing
  book.texts[key] = text
  passing[n + 1], passing[n + 2], passing[n + 3] = key, text, ms
end

local function append(book, entry)
  local meta, entries = book.meta, book.entries
  meta.sequence = meta.sequence + 1
  entries[#entries + 1] = entry
end

-- The journal is written first: if it cannot take an entry, nothing has changed.
local function closeBook(book)
  local prefix, entries = book.prefix, book.entries
  local before = book.meta.sequence - #entries
  local journal, call = prefix .. 'journal', redis.call
  for i = 1, #entries do
    call('XADD', journal, int(before + i) .. '-0', 'entry', entries[i])
  end
  if #entries > 0 then
    redis.call('MSET', prefix .. 'meta', formatMeta(book.meta), unpack(book.lasting))
  end
  local passing = book.passing
  for i = 1, #passing, 3 do
    call('SET', passing[i], passing[i + 1], 'PX', passing[i + 2])
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

-- Writes the book. The answer begins with a word and the sequence of the journal.
local function finish(book, answer)
  closeBook(book)
  answer[2] = int(book.meta.sequence)
  return answer
end
