-- match -> 1 if it was pending
redis.call('ZREM', FREE, ARGV[1])
return redis.call('HDEL', MATCH, ARGV[1])
