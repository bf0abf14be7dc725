-- id, owner, pool, body, most tickets in the pool, most pools -> kind, and what belongs to it
local id, owner, pool, body, pool_max, pools_max = unpack(ARGV)
local known = state(id)
if known[1] then return {'known', known[1], known[2]} end
local other = redis.call('HGET', OWNER, owner)
if other then return {'busy', other} end
local waiting = tonumber(redis.call('HGET', POOLS, pool) or 0)
if waiting >= tonumber(pool_max) then return {'full'} end
if waiting == 0 and redis.call('HLEN', POOLS) >= tonumber(pools_max) then return {'full'} end
enter(id, body)
return {'new'}
