-- owner (36) -> 1 if it was the owner's
local old = redis.call('GET', KEYS[1])
if not old or string.sub(old, 1, 36) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
