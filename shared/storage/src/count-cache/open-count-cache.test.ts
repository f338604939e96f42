import { mkdtemp, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { describeCountCache, digestKey, keys, someEntries } from './count-cache.contract.js';
import { GenerationFiles } from './generation-files.js';
import { type CountCacheWarning, openCountCache } from './open-count-cache.js';

let directory: string;
let warnings: CountCacheWarning[];
const onWarning = (warning: CountCacheWarning) => void warnings.push(warning);
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'preflight-counts-'));
  warnings = [];
});
afterEach(async () => {
  vi.doUnmock('lmdb');
  vi.resetModules();
  await rm(directory, { recursive: true, force: true });
});

describeCountCache('openCountCache with a directory', () => openCountCache({ directory, onWarning }));
describeCountCache('openCountCache without a directory', () => openCountCache({ onWarning }));

describe('opening a count cache', () => {
  test('counts survive a restart, small texts do not, and nobody is warned', async () => {
    const before = await openCountCache({ directory, onWarning });
    await before.setMany([
      [digestKey('a'), 1],
      [keys.ofText('b'), 2],
    ]);
    await before.close();
    const after = await openCountCache({ directory, onWarning });
    expect(await after.getMany([digestKey('a'), keys.ofText('b')])).toEqual([1, undefined]);
    await after.close();
    expect(warnings).toEqual([]);
  });

  /** The cache works, in memory, and has said so once. */
  async function expectMemoryOnly(open = openCountCache, path = directory): Promise<void> {
    const cache = await open({ directory: path, onWarning });
    await cache.setMany(someEntries(10));
    expect(await cache.getMany([digestKey('text 3')])).toEqual([3]);
    await cache.close();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatchObject({ code: 'count_cache_in_memory_only' });
    expect(warnings[0]?.detail).toContain(path);
  }

  test('a directory that cannot be made or written', async () => {
    await writeFile(join(directory, 'file'), '');
    await expectMemoryOnly(openCountCache, join(directory, 'file', 'below'));
  });

  test.each(['/proc/nope', '/proc/nope/deeper/still'])(
    'a directory that no system can make: %s',
    async (path) => {
      await expectMemoryOnly(openCountCache, path);
    },
  );

  test('a directory behind a link that leads nowhere', async () => {
    const link = join(directory, 'link');
    await symlink(join(directory, 'nowhere', 'at all'), link);
    await expectMemoryOnly(openCountCache, join(link, 'counts'));
  });

  test('a directory of which the upper ones are missing is made', async () => {
    const cache = await openCountCache({ directory: join(directory, 'a', 'b', 'c'), onWarning });
    await cache.close();
    expect(warnings).toEqual([]);
  });

  test('a directory in which files cannot be made', async () => {
    await expectMemoryOnly(openCountCache, '/proc/self');
  });

  test('lmdb cannot be loaded', async () => {
    vi.doMock('lmdb', () => {
      throw new Error('no binary for this platform');
    });
    vi.resetModules();
    const fresh = await import('./open-count-cache.js');
    await expectMemoryOnly(fresh.openCountCache);
  });

  const firstFile = async () => (await GenerationFiles.of(directory)).path(1);

  async function writtenFile(): Promise<string> {
    const cache = await openCountCache({ directory, onWarning });
    await cache.setMany(someEntries(5_000));
    await cache.close();
    return firstFile();
  }

  test('a file of something else', async () => {
    await writeFile(await firstFile(), 'x'.repeat(20_000));
    await expectMemoryOnly();
  });

  test('a file shorter than its own first page', async () => {
    await writeFile(await firstFile(), 'x');
    await expectMemoryOnly();
  });

  test('a file whose first pages are overwritten', async () => {
    const path = await writtenFile();
    const bytes = await readFile(path);
    await writeFile(path, bytes.fill(0xff, 0, 8192));
    await expectMemoryOnly();
  });

  test('a truncated file, which lmdb itself would open and then die of', async () => {
    const path = await writtenFile();
    await truncate(path, 64 * 1024);
    await expectMemoryOnly();
  });

  test('an empty file is a new one', async () => {
    await writeFile(await firstFile(), '');
    const cache = await openCountCache({ directory, onWarning });
    await cache.setMany(someEntries(10));
    await cache.close();
    expect(warnings).toEqual([]);
  });
});
