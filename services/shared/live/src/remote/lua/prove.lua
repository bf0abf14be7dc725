-- Writes what set_deadline writes and takes it back, so that whoever may not write learns it here.
-- KEYS: entries, their order.
redis.call('HSET', KEYS[1], 'proof', '')
redis.call('ZADD', KEYS[2], 0, 'proof')
redis.call('HDEL', KEYS[1], 'proof')
redis.call('ZREM', KEYS[2], 'proof')
return 1
