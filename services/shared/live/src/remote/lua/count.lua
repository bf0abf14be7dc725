-- now, cost of one try, limit, milliseconds after which Redis may forget -> left, or -1 - microseconds to wait
-- The same arithmetic as gcra() in throttle.rs, on whole numbers below 2^53.
local now, cost, limit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local paid_off = tonumber(redis.call('GET', KEYS[1]) or 0)
local burst = cost * limit
local after = math.max(paid_off, now) + cost
local used = after - now
if used > burst then return -1 - (used - burst) end
redis.call('SET', KEYS[1], string.format('%.0f', after), 'PX', ARGV[4])
return math.floor((burst - used) / cost)
