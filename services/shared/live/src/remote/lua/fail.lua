-- match, now, held until (16 digits), then the ids of refused tickets -> 1 if the match was pending
local match, now, held = ARGV[1], ARGV[2], ARGV[3]
local tickets = redis.call('HGET', MATCH, match)
if not tickets then return 0 end
redis.call('HDEL', MATCH, match)
redis.call('ZREM', FREE, match)
local refused = {}
for i = 4, #ARGV do refused[ARGV[i]] = true end
for _, id in ipairs({string.sub(tickets, 1, 36), string.sub(tickets, 37, 72)}) do
  local known = state(id)
  -- A ticket that was forgotten stays so, and another one with its id is none of this match's business.
  if known[1] and string.sub(known[2], 1, 37) == 'M' .. match then
    redis.call('HDEL', END, id)
    redis.call('ZREM', ENDED, id)
    if refused[id] or redis.call('HEXISTS', OWNER, owner_of(known[1])) == 1 then
      ended(id, 'C', now)
    else
      enter(id, held_longer(known[1], held))
    end
  end
end
return 1
