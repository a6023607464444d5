-- Channels: accounts whose credit is what payers deposited on the chain. They are resolved as reservations of wallets are.
--
--   wallet:<channel id>   as for a wallet, without failures. balance + reserved + spent is what the channel was funded with.
--   channel:<channel id>  usable|block|charged|open: what the contract held at a block, the latest voucher that was charged, and
--                         the one that was reserved after it, each as <reservation id>:<voucher>. An open voucher was charged if
--                         the account has spent its amount. A voucher is <cumulative>:<fingerprint>:<holder>:<signature>.
--   journal               reserve|id|channel id|voucher|amount|operation|0|0|0|time: of no day, budget or grant
--                         fund|channel id|usable|block|funded|time

local NO_CHANNEL = '0|0||'
local REFUND_OPERATION = 'channel-refund'

local function parseChannel(stored)
  local usable, block, charged, open = string.match(stored or NO_CHANNEL, '^(%d+)|(%d+)|([^|]*)|([^|]*)$')
  return { usable = tonumber(usable), block = tonumber(block), charged = charged, open = open }
end

local function formatChannel(channel)
  return string.format('%d|%d|%s|%s', channel.usable, channel.block, channel.charged, channel.open)
end

-- The latest voucher that was charged, with the id of its reservation; empty before the first.
local function latestCharged(channel, wallet)
  if wallet.reserved == 0 and tonumber(string.match(channel.open, '^[^:]+:(%d+):')) == wallet.spent then
    return channel.open
  end
  return channel.charged
end

local function describeAccount(channel, wallet)
  local funded = wallet.balance + wallet.reserved + wallet.spent
  return string.format('%d|%d|%d|%d|%s', funded, wallet.balance, wallet.reserved, wallet.spent, latestCharged(channel, wallet))
end

-- Whether the voucher was charged for the same request of the same holder.
local function isRepeat(ask, charged)
  return ask.isHeld and charged ~= '' and string.match(charged, '^[^:]+:(.*)$') == ask.voucher
end

-- What a payer may still use. A withdrawal that was started, or a refund, may have left less than the balance.
local function usableOf(channel, wallet)
  return math.max(0, math.min(wallet.balance, channel.usable - wallet.spent - wallet.reserved))
end

-- Returns the state to answer. The account and the book change only if it is `reserved` for the first time.
local function decideCharge(book, ask, wallet, channel)
  local known = parseReservation(book.texts[ask.reservationKey])
  if known and (known.address == '' or known.state == 'voided') then
    return 'voided'
  elseif known and (known.address ~= ask.channel or known.nonce ~= ask.voucher) then
    return 'conflict'
  elseif known then
    return 'reserved'
  end
  local charged = latestCharged(channel, wallet)
  if wallet.isNew then
    return 'channel_not_found'
  elseif isRepeat(ask, charged) then
    return 'repeated'
  elseif book.now > tonumber(ask.deadline) then
    return 'deadline_passed'
  elseif wallet.reserved > 0 then
    return 'channel_busy'
  end
  local usable = usableOf(channel, wallet)
  local cost = ask.isRefund and ask.amount == '' and usable or tonumber(ask.amount)
  if ask.cumulative ~= wallet.spent + (ask.isRefund and 0 or cost) then
    return 'cumulative_mismatch'
  elseif cost > usable or cost == 0 then
    return 'exceeds_balance'
  end
  wallet.balance = wallet.balance - cost
  wallet.reserved = cost
  append(book, 'reserve|' .. ask.id .. '|' .. ask.channel .. '|' .. ask.voucher .. '|' .. int(cost) .. '|' .. ask.operation
    .. '|0|0|0|' .. book.time)
  wallet.sequence = book.meta.sequence
  keep(book, ask.walletKey, formatWallet(wallet))
  keep(book, ask.reservationKey, 'pending|' .. ask.channel .. '|' .. ask.voucher .. '|' .. int(cost) .. '|' .. ask.operation
    .. '|0|' .. int(wallet.balance))
  local due = book.due
  local n = #due
  due[n + 1], due[n + 2] = ask.deadline, ask.id
  -- What is reserved says whether the open voucher was charged. A refund reserves without a voucher to charge.
  channel.charged, channel.open = charged, ask.isRefund and '' or ask.id .. ':' .. ask.voucher
  keep(book, ask.channelKey, formatChannel(channel))
  return 'reserved'
end

local CHARGE_ARGS = 6

local function parseCharge(prefix, args, i)
  local id, channel, voucher, amount, operation, deadline = unpack(args, i, i + CHARGE_ARGS - 1)
  local cumulative, holder = string.match(voucher, '^(%d+):%x*:(%x*):%x+$')
  return {
    id = id, channel = channel, voucher = voucher, amount = amount, operation = operation, deadline = deadline,
    cumulative = tonumber(cumulative), isHeld = holder ~= '', isRefund = operation == REFUND_OPERATION,
    walletKey = prefix .. 'wallet:' .. channel, channelKey = prefix .. 'channel:' .. channel,
    reservationKey = prefix .. 'reservation:' .. id,
  }
end

-- ARGV: epoch, sequence, time, then id, channel, voucher, amount, operation and deadline of each subject. The amount of a refund
-- may be empty: all that the channel has. Answers for each subject a state and the account.
local function charge(keys, args)
  local prefix = keys[1]
  local epoch, seen, given = unpack(args, 1, 3)
  local book = openBook(prefix, given)
  if isBehind(book.meta, epoch, seen) then
    return { 'rolled_back', int(book.meta.sequence) }
  end
  local asks, wanted = {}, {}
  for i = 4, #args, CHARGE_ARGS do
    local ask, n = parseCharge(prefix, args, i), #wanted
    asks[#asks + 1] = ask
    wanted[n + 1], wanted[n + 2], wanted[n + 3] = ask.walletKey, ask.channelKey, ask.reservationKey
  end
  readAll(book, wanted)
  local answer = { 'done', '' }
  for i, ask in ipairs(asks) do
    local wallet, channel = parseWallet(book.texts[ask.walletKey], 0), parseChannel(book.texts[ask.channelKey])
    answer[2 * i + 1] = decideCharge(book, ask, wallet, channel)
    answer[2 * i + 2] = describeAccount(channel, wallet)
  end
  return finish(book, answer)
end

local FUND_ARGS = 4

local function fundOne(book, id, usable, block, refund)
  local prefix = book.prefix
  local walletKey, channelKey, refundKey = prefix .. 'wallet:' .. id, prefix .. 'channel:' .. id, prefix .. 'reservation:' .. refund
  local reserved = parseReservation(book.texts[refundKey])
  if reserved and reserved.address == id then
    resolve(book, refundKey, refund, 'refunded', 'voided')
  end
  local wallet, channel = parseWallet(book.texts[walletKey], 0), parseChannel(book.texts[channelKey])
  local isLater = block >= channel.block and usable ~= channel.usable
  if isLater then
    channel.usable, channel.block = usable, block
  end
  -- What was charged stays charged, whatever became of the deposit.
  local funded = math.max(channel.usable, wallet.reserved + wallet.spent)
  if isLater or funded ~= wallet.balance + wallet.reserved + wallet.spent then
    wallet.balance = funded - wallet.reserved - wallet.spent
    append(book, 'fund|' .. id .. '|' .. int(channel.usable) .. '|' .. int(channel.block) .. '|' .. int(funded) .. '|' .. book.time)
    wallet.sequence = book.meta.sequence
    keep(book, walletKey, formatWallet(wallet))
    keep(book, channelKey, formatChannel(channel))
  end
  return describeAccount(channel, wallet)
end

-- ARGV: epoch, sequence, time, then channel, usable amount, block, and the id of a refund that has ended, or nothing, of each
-- subject. Answers for each `funded` and the account.
local function fund(keys, args)
  local prefix = keys[1]
  local epoch, seen, given = unpack(args, 1, 3)
  local book = openBook(prefix, given)
  if isBehind(book.meta, epoch, seen) then
    return { 'rolled_back', int(book.meta.sequence) }
  end
  local wanted = {}
  for i = 4, #args, FUND_ARGS do
    local n = #wanted
    wanted[n + 1], wanted[n + 2] = prefix .. 'wallet:' .. args[i], prefix .. 'channel:' .. args[i]
    wanted[n + 3] = prefix .. 'reservation:' .. args[i + 3]
  end
  readAll(book, wanted)
  local answer = { 'done', '' }
  for i = 4, #args, FUND_ARGS do
    local id, usable, block, refund = unpack(args, i, i + FUND_ARGS - 1)
    answer[#answer + 1] = 'funded'
    answer[#answer + 1] = fundOne(book, id, tonumber(usable), tonumber(block), refund)
  end
  return finish(book, answer)
end

-- ARGV: channels. Answers for each the account, or an empty text for a channel that is not known.
local function channels(keys, args)
  readMeta(keys[1])
  local found = {}
  for i, id in ipairs(args) do
    local stored = redis.call('GET', keys[1] .. 'wallet:' .. id)
    local channel = stored and parseChannel(redis.call('GET', keys[1] .. 'channel:' .. id))
    found[i] = stored and describeAccount(channel, parseWallet(stored, 0)) or ''
  end
  return found
end
