import { atEndOfFile } from './at-end-of-file.js';
import { DistributedWorld } from './distributed.js';
import { startServer } from './server-process.js';

/** The service, in whichever way it runs. */
export interface Running {
  readonly url: string;
  /** Everything its processes wrote so far. */
  output(): string;
}

type Start = (settings?: Record<string, string>) => Promise<Running>;

/**
 * The two ways to run, as real processes for the tests of one file: alone, and as API and coordinator over a queue.
 * For `describe.each`.
 */
export const BOTH_WAYS: readonly [name: string, start: Start][] = [
  ['embedded', (settings) => startServer(settings, { atEnd: atEndOfFile })],
  ['over the queue', startDistributed],
];

async function startDistributed(settings?: Record<string, string>): Promise<Running> {
  const world = await DistributedWorld.start(atEndOfFile, settings);
  const [api, coordinator] = await Promise.all([world.startApi(), world.startCoordinator({})]);
  return { url: api.url, output: () => api.output() + coordinator.output() };
}
