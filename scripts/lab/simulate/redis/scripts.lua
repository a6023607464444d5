#!lua name=simulated_scripts

-- Runs a script as EVAL does. KEYS: those of the script. ARGV: its text, then its arguments.
redis.register_function('simulated_eval', function(keys, args)
  local text = table.remove(args, 1)
  return loadstring('local redis, KEYS, ARGV = ...\n' .. text)(redis, keys, args)
end)

-- Any command on keys of a world, such as GET, after expired keys were deleted. ARGV: its words.
redis.register_function('simulated_command', function(_, args)
  return redis.call(unpack(args))
end)
