-- key, entry (revision (20), due (16), payload), most deadlines in the queue -> 1 taken, 0 ignored, -1 full
local ENTRY, FREE = KEYS[1], KEYS[2]
local key, entry, max = unpack(ARGV)
local old = redis.call('HGET', ENTRY, key)
if old then
  -- Digits of one length compare like numbers, and have no limit at 2^53.
  if string.sub(old, 1, 20) >= string.sub(entry, 1, 20) then return 0 end
elseif redis.call('HLEN', ENTRY) >= tonumber(max) then
  return -1
end
redis.call('HSET', ENTRY, key, entry)
redis.call('ZADD', FREE, string.sub(entry, 21, 36), key)
return 1
