-- pool, now, then first, second, match and payload of each pair -> a string of one 0 or 1 a pair
local pool, now = ARGV[1], ARGV[2]
local function waits(id) return redis.call('ZSCORE', POOL .. pool, id) end
local reply = {}
for i = 3, #ARGV, 4 do
  local first, second, match, payload = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
  local taken = first ~= second and waits(first) and waits(second) and redis.call('HEXISTS', MATCH, match) == 0
  if taken then
    for _, id in ipairs({first, second}) do
      finish(id, redis.call('HGET', BODY, id), 'M' .. match .. payload, now)
    end
    redis.call('HSET', MATCH, match, first .. second .. payload)
    redis.call('ZADD', FREE, now, match)
  end
  reply[#reply + 1] = taken and '1' or '0'
end
return table.concat(reply)
