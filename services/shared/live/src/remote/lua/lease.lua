-- owner (36), now (16), until (16), milliseconds after which Redis may forget -> 1 if taken
local owner, now, till, keep = unpack(ARGV)
local old = redis.call('GET', KEYS[1])
if old then
  local held = string.sub(old, 37)
  if string.sub(old, 1, 36) == owner then
    if held > till then till = held end
  elseif held > now then
    return 0
  end
end
redis.call('SET', KEYS[1], owner .. till, 'PX', keep)
return 1
