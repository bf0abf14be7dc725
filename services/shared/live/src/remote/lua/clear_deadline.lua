-- key, revision (20) -> 1 if removed
local ENTRY, FREE = KEYS[1], KEYS[2]
local old = redis.call('HGET', ENTRY, ARGV[1])
if not old or string.sub(old, 1, 20) > ARGV[2] then return 0 end
redis.call('HDEL', ENTRY, ARGV[1])
redis.call('ZREM', FREE, ARGV[1])
return 1
