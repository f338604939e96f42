// The other process of a test; it runs the built package, as another service would.
import { LmdbCountCache } from '../../dist/index.js';

const cache = await LmdbCountCache.open({ directory: process.argv[2] });
process.once('message', async ({ read, write, count }) => {
  const found = await cache.getMany([read]);
  await cache.setMany([[write, count]]);
  await cache.close();
  process.send({ found }, () => process.disconnect());
});
