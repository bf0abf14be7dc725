-- now, when what ended is forgotten (may be negative), max -> ids
local now, forgotten, max = unpack(ARGV)
local ids = redis.call('ZRANGEBYSCORE', HELD, '-inf', now, 'LIMIT', 0, max)
for _, id in ipairs(ids) do finish(id, redis.call('HGET', BODY, id), 'E', now) end
for _, id in ipairs(redis.call('ZRANGEBYSCORE', ENDED, '-inf', forgotten, 'LIMIT', 0, max)) do
  redis.call('HDEL', BODY, id)
  redis.call('HDEL', END, id)
  redis.call('ZREM', ENDED, id)
end
return ids
