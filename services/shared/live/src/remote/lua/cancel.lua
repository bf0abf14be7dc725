-- id, owner, now -> nothing, or the end the ticket had before ('' if it waited)
local id, owner, now = unpack(ARGV)
local known = state(id)
if not known[1] or owner_of(known[1]) ~= owner then return {} end
if known[2] == '' then finish(id, known[1], 'C', now) end
return {known[2]}
