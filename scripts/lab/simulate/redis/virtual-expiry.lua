-- Put before the code of a library. Redis then runs the library's code as it is, with the time of the simulated world:
-- the first argument of every call is the time in milliseconds, and keys expire by it. Expirations are members of a
-- sorted set of the world, scored with the time. A function begins by deleting the keys that have expired.
-- The global `redis` has other members while functions run than while they are registered.
local register = redis.register_function
local function real_call(...)
  return redis.call(...)
end
local world_now, world_expiries = 0, ''

local function expire_later(key, ms)
  real_call('ZADD', world_expiries, string.format('%d', world_now + tonumber(ms)), key)
end

local function keep_forever(...)
  real_call('ZREM', world_expiries, ...)
end

local function begin_call(keys, args)
  world_now = tonumber(table.remove(args, 1))
  world_expiries = 'tollhouse:{' .. string.match(keys[1], '{(.-)}') .. '}:simulated-expiries'
  local dead = real_call('ZRANGEBYSCORE', world_expiries, '-inf', string.format('%d', world_now))
  if #dead > 0 then
    real_call('DEL', unpack(dead))
    keep_forever(unpack(dead))
  end
end

-- Sets a key, with its expiration in the sorted set.
local function set(key, value, ...)
  local options, ms, i = {}, nil, 1
  local given = { ... }
  while i <= #given do
    if string.upper(given[i]) == 'PX' then
      ms, i = given[i + 1], i + 1
    else
      options[#options + 1] = given[i]
    end
    i = i + 1
  end
  local done = real_call('SET', key, value, unpack(options))
  if done and ms then expire_later(key, ms) elseif done then keep_forever(key) end
  return done
end

local commands = {
  SET = set,
  TIME = function()
    return { string.format('%d', math.floor(world_now / 1000)), string.format('%d', (world_now % 1000) * 1000) }
  end,
  MSET = function(...)
    local pairs_given, keys = { ... }, {}
    for i = 1, #pairs_given, 2 do keys[#keys + 1] = pairs_given[i] end
    keep_forever(unpack(keys))
    return real_call('MSET', ...)
  end,
  DEL = function(...)
    keep_forever(...)
    return real_call('DEL', ...)
  end,
  PEXPIRE = function(key, ms)
    if real_call('EXISTS', key) == 0 then return 0 end
    expire_later(key, ms)
    return 1
  end,
  PERSIST = function(key)
    return keep_forever(key) or 0
  end,
}

local function call(name, ...)
  local command = commands[string.upper(name)]
  if command then return command(...) end
  return real_call(name, ...)
end

local function in_world(callback)
  return function(keys, args)
    begin_call(keys, args)
    return callback(keys, args)
  end
end

local redis = {
  call = call,
  pcall = call,
  register_function = function(given, callback)
    if callback then return register(given, in_world(callback)) end
    -- Without flags: a function that only reads must delete expired keys too.
    return register(given.function_name, in_world(given.callback))
  end,
}
