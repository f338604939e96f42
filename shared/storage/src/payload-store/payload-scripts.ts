/*
 * The scripts of the payload store. Each is sent as text with every call (about 1 KB, which Redis compiles once), so
 * that none is missing after a restart. Times are those of Redis's own clock.
 */

/**
 * Adds one holder to payloads that are there.
 *
 *   KEYS[1]         set of what the holder holds; not written for an upload, which is never released
 *   KEYS[2], [3]    payload and holders of the first digest; KEYS[4], [5] of the second; and so on
 *   ARGV[1]         holder: a job, or `upload`
 *   ARGV[2]         lifetime in ms
 *   ARGV[3...]      digests, in the order of the keys
 *
 *   returns         the digests that are not there
 */
export const HOLD_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local untilMs = now + ARGV[2]
local function atLeast(key)
  local left = redis.call('PTTL', key)
  if left >= 0 and now + left < untilMs then redis.call('PEXPIREAT', key, untilMs) end
end
local missing = {}
local held = {}
for i = 2, #KEYS, 2 do
  local digest = ARGV[2 + i / 2]
  if redis.call('EXISTS', KEYS[i]) == 1 then
    redis.call('ZADD', KEYS[i + 1], 'GT', untilMs, ARGV[1])
    if redis.call('PTTL', KEYS[i + 1]) == -1 then redis.call('PEXPIREAT', KEYS[i + 1], untilMs) end
    atLeast(KEYS[i])
    atLeast(KEYS[i + 1])
    held[#held + 1] = digest
  else
    missing[#missing + 1] = digest
  end
end
if ARGV[1] ~= 'upload' and #held > 0 then
  redis.call('SADD', KEYS[1], unpack(held))
  if redis.call('PTTL', KEYS[1]) == -1 then redis.call('PEXPIREAT', KEYS[1], untilMs) end
  atLeast(KEYS[1])
end
return missing`;

/**
 * Takes one holder from payloads; what has no holder left is removed, and the rest lives as long as its last holder.
 *
 *   KEYS[1]         set of what the holder holds
 *   KEYS[2], [3]    payload and holders of the first digest; KEYS[4], [5] of the second; and so on
 *   ARGV[1]         holder
 *   ARGV[2...]      digests, in the order of the keys
 *
 *   returns         how many payloads were removed
 *
 * Only commands that Redis runs when its memory is full: this is what makes room.
 */
export const RELEASE_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local removed = 0
for i = 2, #KEYS, 2 do
  redis.call('ZREM', KEYS[i + 1], ARGV[1])
  redis.call('ZREMRANGEBYSCORE', KEYS[i + 1], '-inf', now)
  local last = redis.call('ZREVRANGE', KEYS[i + 1], 0, 0, 'WITHSCORES')
  if #last == 0 then
    removed = removed + redis.call('UNLINK', KEYS[i])
  else
    redis.call('PEXPIREAT', KEYS[i], last[2])
    redis.call('PEXPIREAT', KEYS[i + 1], last[2])
  end
  redis.call('SREM', KEYS[1], ARGV[1 + i / 2])
end
return removed`;
