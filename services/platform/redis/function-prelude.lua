-- Begins every library of functions. The lines before it set LIBRARY (the name of the library, with its version), STORE
-- and FORMAT (the latest format of the stored data that this release knows).

-- Registers a function under the name of its library. So processes of two releases call only their own functions.
local function register(name, callback, flags)
  redis.register_function({ function_name = LIBRARY .. '_' .. name, callback = callback, flags = flags or {} })
end

-- Ends the call if a later release stored the data in a format that is not known here. Each function calls it before its
-- first write. `stored` is nil for the first format.
local function refuseLaterFormat(stored)
  if stored and tonumber(stored) > FORMAT then
    error({ err = 'LATERFORMAT ' .. STORE .. ' ' .. stored .. ' ' .. FORMAT })
  end
end
