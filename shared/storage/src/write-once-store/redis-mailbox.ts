import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { KEY_PREFIX } from '../redis/keys.js';
import { Expectations } from './expectations.js';
import type { Address, Expected } from './write-once-store.js';

/** Ends the name in a message; the value follows, or nothing. */
const NAME_END = '\n';

/** What a message about a value begins with. */
export function messageStart(name: string): string {
  return name + NAME_END;
}

/**
 * What other processes tell this one, by a channel of its own: a process gets what it waits for, and nothing else. Listens
 * from the first time that something is expected. What is told while Redis, or the connection, is away, is lost.
 */
export class RedisMailbox {
  readonly address: Address = `${KEY_PREFIX}:told:${randomUUID()}`;
  readonly #redis: Redis;
  readonly #expectations = new Expectations();
  #listening: Redis | undefined;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  expect(name: string): Expected {
    this.#listening ??= this.#listen();
    return this.#expectations.add(name);
  }

  close(): void {
    this.#listening?.disconnect();
  }

  /** By a connection of its own, since one that listens takes no other commands. */
  #listen(): Redis {
    const redis = this.#redis.duplicate();
    redis.on('error', () => {});
    redis.on('messageBuffer', (_, message) => {
      const end = message.indexOf(NAME_END);
      const value = message.subarray(end + 1);
      this.#expectations.tell(message.toString('latin1', 0, end), value.length > 0 ? value : undefined);
    });
    redis.on('ready', () => redis.subscribe(this.address).catch(() => {}));
    return redis;
  }
}
