-- now -> how many members are there; with a member (36): how many of him, so 0 or 1
-- Of a member there is an entry each node; in the order of members they would lie together, but they lie in
-- that of the times until which they hold.
local seen, count = {}, 0
for _, entry in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. ARGV[1], '+inf')) do
  local member = string.sub(entry, 1, 36)
  if not seen[member] and (not ARGV[2] or ARGV[2] == member) then
    seen[member] = true
    count = count + 1
  end
end
return count
