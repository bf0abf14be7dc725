-- now, then pool, first, second and match of each pair -> a string of one 0 or 1 a pair
local now = ARGV[1]
-- The body of a ticket that waits in a pool and is held.
local function waiting(id, pool)
  if not redis.call('ZSCORE', WAITING, id) then return false end
  local body = redis.call('HGET', BODY, id)
  return held_of(body) > now and string.find(pools_of(body), '\n' .. pool .. '\n', 1, true) and body
end
local reply = {}
for i = 2, #ARGV, 4 do
  local pool, first, second, match = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
  local one, other = waiting(first, pool), waiting(second, pool)
  local taken = first ~= second and one and other and redis.call('HEXISTS', MATCH, match) == 0
  if taken then
    finish(first, one, 'M' .. match, now)
    finish(second, other, 'M' .. match, now)
    local value = first .. second .. string.format('%03d', #pool) .. pool .. string.format('%05d', #one)
    redis.call('HSET', MATCH, match, value .. one .. other)
    redis.call('ZADD', FREE, now, match)
  end
  reply[#reply + 1] = taken and '1' or '0'
end
return table.concat(reply)
