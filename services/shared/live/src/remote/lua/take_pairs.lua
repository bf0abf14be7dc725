-- pool, now, then first, second and match of each pair -> a string of one 0 or 1 a pair
local pool, now = ARGV[1], ARGV[2]
-- The body of a ticket that waits in the pool and is held.
local function waiting(id)
  if not redis.call('ZSCORE', POOL .. pool, id) then return false end
  local body = redis.call('HGET', BODY, id)
  return held_of(body) > now and body
end
local reply = {}
for i = 3, #ARGV, 3 do
  local first, second, match = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  local one, other = waiting(first), waiting(second)
  local taken = first ~= second and one and other and redis.call('HEXISTS', MATCH, match) == 0
  if taken then
    finish(first, one, 'M' .. match, now)
    finish(second, other, 'M' .. match, now)
    redis.call('HSET', MATCH, match, first .. second .. string.format('%05d', #one) .. one .. other)
    redis.call('ZADD', FREE, now, match)
  end
  reply[#reply + 1] = taken and '1' or '0'
end
return table.concat(reply)
