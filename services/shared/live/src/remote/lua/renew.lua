-- id, held until (16 digits, or '' to only look) -> state
return renewed(ARGV[1], ARGV[2])
