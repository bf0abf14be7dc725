-- node (36), now, until, most entries, milliseconds after which Redis may forget, members (36 each) -> 1 if taken
local node, now, till, max, keep = unpack(ARGV, 1, 5)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local new = 0
for i = 6, #ARGV do
  if not redis.call('ZSCORE', KEYS[1], ARGV[i] .. node) then new = new + 1 end
end
if redis.call('ZCARD', KEYS[1]) + new > tonumber(max) then return 0 end
for i = 6, #ARGV do
  redis.call('ZADD', KEYS[1], 'GT', till, ARGV[i] .. node)
end
if redis.call('PTTL', KEYS[1]) < tonumber(keep) then redis.call('PEXPIRE', KEYS[1], keep) end
return 1
