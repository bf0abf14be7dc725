-- id, owner, body, most tickets in a pool, most pools -> kind, and what belongs to it
local id, owner, body, pool_max, pools_max = unpack(ARGV)
local known = state(id)
if known[1] then return {'known', known[1], known[2]} end
local other = redis.call('HGET', OWNER, owner)
if other then return {'busy', other} end
local new = 0
for pool in each_pool(body) do
  local waiting = tonumber(redis.call('HGET', POOLS, pool) or 0)
  if waiting >= tonumber(pool_max) then return {'full'} end
  if waiting == 0 then new = new + 1 end
end
if redis.call('HLEN', POOLS) + new > tonumber(pools_max) then return {'full'} end
enter(id, body)
return {'new'}
