#!lua name=tollhouse_bench

-- One write, as cheap as a function that writes can be.
redis.register_function('tollhouse_bench_write', function(keys, args)
  return redis.call('HINCRBY', keys[1], 'n', args[1])
end)

-- The commands of a lock, a reserve and a post that the accounting cannot do without, for many calls at once: reads, journal,
-- wallet, reservation, nonce and pending set. The caller passes every key and text ready-made, and nothing is decided. So
-- no accounting with the same records can be faster.

-- ARGV: lock key of each call.
redis.register_function('tollhouse_bench_lock', function(keys, args)
  for i = 1, #args do
    redis.call('SET', args[i], 'token', 'NX', 'PX', 2000)
  end
  return #args
end)

-- ARGV: wallet key, reservation key, nonce key, lock key, wallet, reservation, nonce, entry, deadline and id of each call.
redis.register_function('tollhouse_bench_reserve', function(keys, args)
  local prefix, read, kept, due, locks = keys[1], {}, { keys[1] .. 'meta', '0' }, {}, {}
  for i = 1, #args, 10 do
    local r, k, d = #read, #kept, #due
    read[r + 1], read[r + 2], read[r + 3], read[r + 4] = args[i], args[i + 1], args[i + 2], args[i + 3]
    kept[k + 1], kept[k + 2], kept[k + 3], kept[k + 4] = args[i], args[i + 4], args[i + 1], args[i + 5]
    due[d + 1], due[d + 2] = args[i + 8], args[i + 9]
    locks[#locks + 1] = args[i + 3]
  end
  redis.call('TIME')
  redis.call('MGET', kept[1], unpack(read))
  for i = 1, #args, 10 do
    redis.call('XADD', prefix .. 'journal', '*', 'entry', args[i + 7])
  end
  redis.call('MSET', unpack(kept))
  for i = 1, #args, 10 do
    redis.call('SET', args[i + 2], args[i + 6], 'PX', 300000)
  end
  redis.call('ZADD', prefix .. 'pending', unpack(due))
  redis.call('DEL', unpack(locks))
  return #args
end)

-- ARGV: wallet key, reservation key, wallet, reservation, entry and id of each call.
redis.register_function('tollhouse_bench_post', function(keys, args)
  local prefix, wallets, reservations, kept, done = keys[1], {}, {}, { keys[1] .. 'meta', '0' }, {}
  for i = 1, #args, 6 do
    local n, k = #wallets + 1, #kept
    wallets[n], reservations[n], done[n] = args[i], args[i + 1], args[i + 5]
    kept[k + 1], kept[k + 2] = args[i], args[i + 2]
  end
  redis.call('TIME')
  redis.call('MGET', kept[1], unpack(reservations))
  redis.call('MGET', unpack(wallets))
  for i = 1, #args, 6 do
    redis.call('XADD', prefix .. 'journal', '*', 'entry', args[i + 4])
  end
  redis.call('MSET', unpack(kept))
  for i = 1, #args, 6 do
    redis.call('SET', args[i + 1], args[i + 3], 'PX', 86400000)
  end
  redis.call('ZREM', prefix .. 'pending', unpack(done))
  return #args
end)
