-- id, held until (16 digits, or '' to only look) -> state
local id, held = ARGV[1], ARGV[2]
local now = state(id)
if now[1] and now[2] == '' and held > held_of(now[1]) then
  now[1] = string.sub(now[1], 1, 52) .. held .. string.sub(now[1], 69)
  redis.call('HSET', BODY, id, now[1])
  redis.call('ZADD', HELD, held, id)
end
return now
