-- now, lease until, max -> key, entry, key, entry, ...
local ENTRY, FREE = KEYS[1], KEYS[2]
local now, lease, max = unpack(ARGV)
local reply = {}
for _, key in ipairs(redis.call('ZRANGEBYSCORE', FREE, '-inf', now, 'LIMIT', 0, max)) do
  redis.call('ZADD', FREE, lease, key)
  reply[#reply + 1] = key
  reply[#reply + 1] = redis.call('HGET', ENTRY, key)
end
return reply
