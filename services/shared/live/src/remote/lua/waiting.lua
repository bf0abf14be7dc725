-- pool, max -> id, body, id, body, ...
local ids = redis.call('ZRANGE', POOL .. ARGV[1], 0, ARGV[2] - 1)
local reply = {}
-- In steps, because unpack has room for some thousands only.
for from = 1, #ids, 1000 do
  local to = math.min(from + 999, #ids)
  local bodies = redis.call('HMGET', BODY, unpack(ids, from, to))
  for i = from, to do
    reply[2 * i - 1], reply[2 * i] = ids[i], bodies[i - from + 1]
  end
end
return reply
