-- Put before every script about tickets. The keys are listed in keys.rs.
local BODY, END, ENDED, HELD, OWNER, POOLS, MATCH, FREE, CHANGES, WAITING = unpack(KEYS)

-- A body is owner (36), since (16), held until (16), length of the pools (4), the pools, each between two new lines, and what
-- only the caller reads.
local function owner_of(body) return string.sub(body, 1, 36) end
local function since_of(body) return string.sub(body, 37, 52) end
local function held_of(body) return string.sub(body, 53, 68) end
local function pools_of(body) return string.sub(body, 73, 72 + tonumber(string.sub(body, 69, 72))) end
local function each_pool(body) return string.gmatch(pools_of(body), '[^\n]+') end

-- A body that is held until a moment (16 digits) at least.
local function held_longer(body, held)
  if held <= held_of(body) then return body end
  return string.sub(body, 1, 52) .. held .. string.sub(body, 69)
end

-- What the caller decodes as the state of a ticket: nothing, or body and end ('' if it waits).
local function state(id)
  local body = redis.call('HGET', BODY, id)
  if not body then return {} end
  return {body, redis.call('HGET', END, id) or ''}
end

-- The id of the latest change: when the store's life began, and how many changes there were. False before the first.
local function latest()
  local last = redis.call('XREVRANGE', CHANGES, '+', '-', 'COUNT', 1)[1]
  return last and last[1]
end

-- Writes a change down: a ticket waits (with its body), or waits no more (how it ended, and when).
local function changed(id, body)
  local life, number = string.match(latest() or '', '^(%d+)-(%d+)$')
  if not life then
    local time = redis.call('TIME')
    life, number = time[1] .. string.format('%06d', time[2]), 0
  end
  local entry = life .. '-' .. string.format('%.0f', number + 1)
  redis.call('XADD', CHANGES, 'MAXLEN', '~', CHANGES_KEPT, entry, 'ticket', id, 'body', body)
end

-- A ticket starts to wait.
local function enter(id, body)
  redis.call('HSET', BODY, id, body)
  redis.call('HSET', OWNER, owner_of(body), id)
  redis.call('ZADD', HELD, held_of(body), id)
  redis.call('ZADD', WAITING, since_of(body), id)
  for pool in each_pool(body) do redis.call('HINCRBY', POOLS, pool, 1) end
  changed(id, body)
end

-- Writes down how a ticket that is in no index ended.
local function ended(id, how, now)
  redis.call('HSET', END, id, how)
  redis.call('ZADD', ENDED, now, id)
end

-- A waiting ticket waits no more.
local function finish(id, body, how, now)
  redis.call('HDEL', OWNER, owner_of(body))
  redis.call('ZREM', HELD, id)
  redis.call('ZREM', WAITING, id)
  for pool in each_pool(body) do
    if redis.call('HINCRBY', POOLS, pool, -1) <= 0 then redis.call('HDEL', POOLS, pool) end
  end
  changed(id, string.sub(how, 1, 1) .. now)
  ended(id, how, now)
end

-- Holds a ticket until a moment (16 digits, or '' to only look), if it waits; its state then.
local function renewed(id, held)
  local now = state(id)
  if now[1] and now[2] == '' and held > held_of(now[1]) then
    now[1] = held_longer(now[1], held)
    redis.call('HSET', BODY, id, now[1])
    redis.call('ZADD', HELD, held, id)
  end
  return now
end
