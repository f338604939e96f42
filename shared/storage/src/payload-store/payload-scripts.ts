import { Script } from '../redis/script.js';

/*
 * The scripts of the payload store. Times are those of Redis's own clock.
 */

/** What all scripts that hold have in common. */
const HOLDING = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local untilMs = now + ARGV[2]
local function atLeast(key)
  local left = redis.call('PTTL', key)
  if left == -1 or (left >= 0 and now + left < untilMs) then redis.call('PEXPIREAT', key, untilMs) end
end
local function hold(payload, holders)
  redis.call('ZADD', holders, 'GT', untilMs, ARGV[1])
  atLeast(payload)
  atLeast(holders)
end
local function remember(digests)
  if ARGV[1] == 'upload' then return end
  redis.call('SADD', KEYS[1], unpack(digests))
  atLeast(KEYS[1])
end`;

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
export const HOLD_SCRIPT = new Script(`${HOLDING}
local missing = {}
local held = {}
for i = 2, #KEYS, 2 do
  local digest = ARGV[2 + i / 2]
  if redis.call('EXISTS', KEYS[i]) == 1 then
    hold(KEYS[i], KEYS[i + 1])
    held[#held + 1] = digest
  else
    missing[#missing + 1] = digest
  end
end
if #held > 0 then remember(held) end
return missing`);

/**
 * Writes a payload of one piece, if it is not there, and adds a holder to it.
 *
 *   KEYS[1], ARGV[1], ARGV[2]   as above
 *   KEYS[2], KEYS[3]            payload and holders
 *   ARGV[3]                     digest
 *   ARGV[4], ARGV[5]            size and bytes
 */
export const PUT_SCRIPT = new Script(`${HOLDING}
if redis.call('EXISTS', KEYS[2]) == 0 then redis.call('HSET', KEYS[2], 'size', ARGV[4], '0', ARGV[5]) end
hold(KEYS[2], KEYS[3])
remember({ARGV[3]})`);

/**
 * Takes jobs from what they hold, one job after the other, until so much is done; what has no holder left is removed,
 * and the rest lives as long as its last holder. What they hold stands in Redis alone; so the keys are made here, in the
 * slot of KEYS[1], which spares a way there and back.
 *
 *   KEYS[1], [2]    set of what the first job holds, and what is its own; KEYS[3], [4] of the second; and so on
 *   ARGV[1]         how many payloads at most
 *   ARGV[2]         what keys of payloads begin with
 *   ARGV[3]         what keys of holders begin with
 *   ARGV[4...]      jobs, in the order of the keys
 *
 *   returns         how many jobs hold nothing any more, from the first on
 *
 * Only commands that Redis runs when its memory is full: this is what makes room.
 */
export const RELEASE_SCRIPT = new Script(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function release(job, leases, digest)
  local payload = ARGV[2] .. digest
  local holders = ARGV[3] .. digest
  redis.call('ZREM', holders, job)
  redis.call('ZREMRANGEBYSCORE', holders, '-inf', now)
  local last = redis.call('ZREVRANGE', holders, 0, 0, 'WITHSCORES')
  if #last == 0 then
    redis.call('UNLINK', payload)
  else
    redis.call('PEXPIREAT', payload, last[2])
    redis.call('PEXPIREAT', holders, last[2])
  end
  redis.call('SREM', leases, digest)
end
local left = tonumber(ARGV[1])
for i = 1, #KEYS / 2 do
  local leases = KEYS[2 * i - 1]
  redis.call('UNLINK', KEYS[2 * i])
  local digests = redis.call('SRANDMEMBER', leases, left)
  for _, digest in ipairs(digests) do release(ARGV[3 + i], leases, digest) end
  left = left - #digests
  if left == 0 then return i - 1 end
end
return #KEYS / 2`);
