-- max, since and id of the ticket before the first ('' for none) -> id, body, id, body, ...
local max, since, before = tonumber(ARGV[1]), ARGV[2], ARGV[3]
local ids
if since == '' then
  ids = redis.call('ZRANGE', WAITING, 0, max - 1)
else
  -- Of those who wait equally long some come before it.
  local alike = redis.call('ZRANGEBYSCORE', WAITING, since, since)
  local skipped = 0
  while alike[skipped + 1] and alike[skipped + 1] <= before do skipped = skipped + 1 end
  ids = redis.call('ZRANGEBYSCORE', WAITING, since, '+inf', 'LIMIT', skipped, max)
end
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
