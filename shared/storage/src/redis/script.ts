import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';

/**
 * A script that Redis runs as one step. It is sent by its digest, and as text only when Redis does not have it, as after
 * a restart: the text is a kilobyte, and Redis would digest it at every call.
 */
export class Script {
  readonly text: string;
  readonly #sha1: string;

  constructor(text: string) {
    this.text = text;
    this.#sha1 = createHash('sha1').update(text).digest('hex');
  }

  /** One way there and back, in one command. */
  async run(
    redis: Redis,
    keys: readonly string[],
    args: readonly (string | number | Buffer)[],
  ): Promise<unknown> {
    try {
      return await redis.evalsha(this.#sha1, keys.length, ...keys, ...args);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return redis.eval(this.text, keys.length, ...keys, ...args);
    }
  }
}
