import { beforeAll } from 'vitest';
import { atEndOfFile } from '../harness/at-end-of-file.js';
import { DistributedWorld } from '../harness/distributed.js';
import { langchainVectorTests } from '../harness/langchain-vectors.js';

let url: string;
beforeAll(async () => {
  const world = await DistributedWorld.start(atEndOfFile);
  const [api] = await Promise.all([world.startApi(), world.startCoordinator()]);
  url = api.url;
});

langchainVectorTests(() => url);
