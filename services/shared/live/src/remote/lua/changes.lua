-- life, number, max -> the id of the latest change, then id, ticket and body of each change after the place; nothing before the
-- first change
local life, number, max = unpack(ARGV)
local last = latest()
if not last then return {} end
local reply = {last}
-- A life that is over has no place in this one.
if life ~= '0' and life ~= string.match(last, '^%d+') then return reply end
for _, entry in ipairs(redis.call('XRANGE', CHANGES, '(' .. life .. '-' .. number, '+', 'COUNT', max)) do
  local fields = entry[2]
  reply[#reply + 1] = entry[1]
  reply[#reply + 1] = fields[2]
  reply[#reply + 1] = fields[4]
end
return reply
