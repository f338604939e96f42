import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { encodeCount } from '../../shared/storage/src/count-cache/stored-count.js';
import type { DistributedWorld } from '../harness/distributed.js';
import type { ServerProcess } from '../harness/server-process.js';

const KILL_EVERY_MS = 1_000;

/** Coordinators of which the oldest is killed every second, and replaced, until it is told to stop. */
export class DyingCoordinators {
  readonly #world: DistributedWorld;
  readonly #settings: Record<string, string>;
  readonly #alive: ServerProcess[] = [];
  readonly #starting = new Set<Promise<void>>();
  readonly #all: ServerProcess[] = [];
  #killing: Promise<void> | undefined;
  #isStopping = false;
  kills = 0;

  constructor(world: DistributedWorld, settings: Record<string, string>) {
    this.#world = world;
    this.#settings = settings;
  }

  async start(count: number): Promise<void> {
    for (let i = 0; i < count; i++) this.#startOne();
    await Promise.all(this.#starting);
    this.#killing = this.#killOnAndOn();
  }

  /** Freezes one for so long; it thinks its jobs its own when it wakes up. It is not killed meanwhile. */
  async freezeOne(frozenMs: number): Promise<void> {
    const frozen = this.#alive.shift();
    if (frozen === undefined) throw new Error('no coordinator is left');
    this.#startOne();
    frozen.child.kill('SIGSTOP');
    await delay(frozenMs);
    frozen.child.kill('SIGCONT');
    this.#alive.push(frozen);
  }

  /** Lets the rest live, and end by themselves; the exit codes of those that were not killed. */
  async stop(): Promise<(number | null)[]> {
    await this.stopKilling();
    const codes = await Promise.all(this.#alive.map((coordinator) => coordinator.stop()));
    await Promise.all(this.#all.map(({ exited }) => exited));
    return codes;
  }

  /** None is killed or started any more. */
  async stopKilling(): Promise<void> {
    this.#isStopping = true;
    await this.#killing;
    await Promise.all(this.#starting);
  }

  #startOne(): void {
    const starting = this.#world.startCoordinator(this.#settings).then((coordinator) => {
      this.#alive.push(coordinator);
      this.#all.push(coordinator);
      this.#starting.delete(starting);
    });
    this.#starting.add(starting);
  }

  async #killOnAndOn(): Promise<void> {
    while (!this.#isStopping) {
      await delay(KILL_EVERY_MS);
      // On a slow machine others take longer than a second to come, and somebody has to do the work.
      if (this.#isStopping || this.#alive.length < 2) continue;
      const killed = this.#alive.shift() as ServerProcess;
      killed.child.kill('SIGKILL');
      this.kills += 1;
      this.#startOne();
    }
  }
}

/** Fills the cache with what looks like counts and is none: other versions of keys and of values, and wrong ones. */
export async function spoilCounts(url: string): Promise<number> {
  const redis = new Redis(url);
  try {
    const keys = (await redis.keysBuffer('*')).filter((key) => key.length === '{p}d'.length + 40);
    const commands = redis.pipeline();
    for (const [i, key] of keys.entries()) {
      const ofKey = key.subarray('{p}'.length);
      const otherScope = Buffer.from(ofKey);
      otherScope.writeUInt8(otherScope.readUInt8(1) ^ 0xff, 1);
      commands.set(Buffer.concat([Buffer.from('{p}'), otherScope]), encodeCount(otherScope, 7));
      const wrong = [Buffer.from('7'), Buffer.alloc(8, 1), encodeCount(otherScope, 7), Buffer.alloc(12)];
      commands.set(key, wrong[i % wrong.length] as Buffer);
    }
    await commands.exec();
    return keys.length;
  } finally {
    redis.disconnect();
  }
}
