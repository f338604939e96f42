import { fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LmdbFile } from '../lmdb/lmdb-file.js';
import { describeCountCache, digestKey, someEntries } from './count-cache.contract.js';
import { bytesOfKey } from './count-key.js';
import { GenerationFiles } from './generation-files.js';
import { LayeredCountCache } from './layered-count-cache.js';
import { LmdbCountCache } from './lmdb-count-cache.js';
import { MemoryCountCache } from './memory-count-cache.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'preflight-counts-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describeCountCache('LmdbCountCache', () => LmdbCountCache.open({ directory }));

const filesIn = async () => (await readdir(directory)).filter((name) => name.endsWith('.mdb')).sort();

async function sizeOfFiles(): Promise<number> {
  let sizeBytes = 0;
  for (const name of await filesIn()) sizeBytes += (await stat(join(directory, name))).size;
  return sizeBytes;
}

describe('counts in a directory', () => {
  test('survive a restart', async () => {
    const before = await LmdbCountCache.open({ directory });
    await before.setMany(someEntries(1_000));
    await before.close();
    const after = await LmdbCountCache.open({ directory });
    expect(await after.getMany([digestKey('text 7'), digestKey('text 999')])).toEqual([7, 999]);
    await after.close();
  });

  test('are shared by several caches at once', async () => {
    const one = await LmdbCountCache.open({ directory });
    const two = await LmdbCountCache.open({ directory });
    await one.setMany([[digestKey('a'), 1]]);
    await two.setMany([[digestKey('b'), 2]]);
    expect(await two.getMany([digestKey('a')])).toEqual([1]);
    expect(await one.getMany([digestKey('b')])).toEqual([2]);
    await one.close();
    await two.close();
  });

  test('are shared by two processes', async () => {
    const cache = await LmdbCountCache.open({ directory });
    await cache.setMany([[digestKey('mine'), 1]]);
    const child = fork(new URL('./lmdb-count-cache.child.js', import.meta.url), [directory], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const answer = once(child, 'message');
    child.send({ read: digestKey('mine'), write: digestKey('theirs'), count: 2 });
    expect(await answer).toEqual([{ found: [1] }, undefined]);
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(await cache.getMany([digestKey('theirs')])).toEqual([2]);
    await cache.close();
  });

  test('stay within their bytes, and those in use are kept', async () => {
    const maxBytes = 1024 * 1024;
    const cache = await LmdbCountCache.open({ directory, maxBytes });
    const inUse = digestKey('in use');
    await cache.setMany([[inUse, 42]]);
    for (let round = 0; round < 40; round += 1) {
      await cache.setMany(someEntries(800, `round ${round}`));
      expect(await cache.getMany([inUse])).toEqual([42]);
      expect(await sizeOfFiles()).toBeLessThan(maxBytes * 1.5);
    }
    expect(await cache.getMany([digestKey('round 39 5'), digestKey('round 0 5')])).toEqual([5, undefined]);
    const generations = await (await GenerationFiles.of(directory)).list();
    expect(generations.length).toBeLessThanOrEqual(2);
    expect(generations).not.toContain(1);
    await cache.close();
  });

  test('a cache that lags behind another finds the newest generation', async () => {
    const maxBytes = 512 * 1024;
    const slow = await LmdbCountCache.open({ directory, maxBytes });
    const quick = await LmdbCountCache.open({ directory, maxBytes });
    for (let round = 0; round < 10; round += 1) await quick.setMany(someEntries(800, `quick ${round}`));
    for (let round = 0; round < 4; round += 1) await slow.setMany(someEntries(800, `slow ${round}`));
    expect(await slow.getMany([digestKey('slow 3 5')])).toEqual([5]);
    expect(await quick.getMany([digestKey('quick 9 5')])).toEqual([5]);
    await slow.close();
    await quick.close();
    expect(await sizeOfFiles()).toBeLessThan(maxBytes * 2);
  });

  test('an entry that is not whole reads as a miss', async () => {
    const file = await LmdbFile.open((await GenerationFiles.of(directory)).path(1));
    file.putAll([[bytesOfKey(digestKey('a')), Buffer.from('not a count!')]]);
    await file.close();
    const cache = await LmdbCountCache.open({ directory });
    expect(await cache.getMany([digestKey('a')])).toEqual([undefined]);
    await cache.close();
  });

  test('a file that is damaged inside makes misses and failed writes, and kills nobody', async () => {
    const before = await LmdbCountCache.open({ directory });
    await before.setMany(someEntries(5_000));
    await before.close();
    const path = (await GenerationFiles.of(directory)).path(1);
    await writeFile(path, (await readFile(path)).fill(0, 2 * 4096));
    const second = await LmdbCountCache.open({ directory });
    await expect(second.setMany(someEntries(10, 'more'))).rejects.toThrow();
    const cache = new LayeredCountCache({ first: new MemoryCountCache(), second });
    await cache.setMany(someEntries(10, 'more'));
    expect(await cache.getMany([digestKey('text 7'), digestKey('more 7')])).toEqual([undefined, 7]);
    await cache.close();
    expect(cache.secondLevelErrorCount).toBeGreaterThan(0);
  });

  test('files of an earlier boot are removed unread', async () => {
    await writeFile(join(directory, 'counts-0ddb007-3.mdb'), 'whatever a dying machine left');
    const cache = await LmdbCountCache.open({ directory });
    await cache.close();
    expect(await (await GenerationFiles.of(directory)).list()).toEqual([1]);
    expect(await readdir(directory)).not.toContain('counts-0ddb007-3.mdb');
  });

  test('closing waits for the calls that are running', async () => {
    const cache = await LmdbCountCache.open({ directory });
    const writing = cache.setMany(someEntries(3_000));
    const reading = cache.getMany(someEntries(3_000).map(([key]) => key));
    await cache.close();
    await writing;
    expect(await reading).toHaveLength(3_000);
  });

  test('files of others are left alone', async () => {
    await appendFile(join(directory, 'counts.txt'), 'mine');
    const cache = await LmdbCountCache.open({ directory });
    await cache.close();
    expect(await readdir(directory)).toContain('counts.txt');
  });
});
