-- held until (16 digits), then ids -> those of them that do not wait
local reply = {}
for i = 2, #ARGV do
  if renewed(ARGV[i], ARGV[1])[2] ~= '' then reply[#reply + 1] = ARGV[i] end
end
return reply
