-- now, lease until, max -> id, match, id, match, ...
local now, lease, max = unpack(ARGV)
local reply = {}
for _, match in ipairs(redis.call('ZRANGEBYSCORE', FREE, '-inf', now, 'LIMIT', 0, max)) do
  redis.call('ZADD', FREE, lease, match)
  reply[#reply + 1] = match
  reply[#reply + 1] = redis.call('HGET', MATCH, match)
end
return reply
