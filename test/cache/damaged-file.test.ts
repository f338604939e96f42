import { mkdirSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { post } from '../harness/http.js';
import { oracleCount } from '../harness/oracle.js';
import { seededBytes } from '../harness/seeded-texts.js';
import { startServer } from '../harness/server-process.js';
import { tempDir } from '../harness/temp-dir.js';

const text = 'Something to count. '.repeat(400);
const tokens = oracleCount('o200k_base', text);

function filesOf(dataDir: string): string[] {
  const folder = join(dataDir, 'counts');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && !path.endsWith('-lock'));
}

async function usedDataDir(): Promise<string> {
  const dataDir = await tempDir();
  const server = await startServer({ PREFLIGHT_DATA_DIR: dataDir });
  const texts = Array.from({ length: 50 }, (_, i) => seededBytes(3000, i).toString('base64'));
  await post(server.url, '/v1/count', {
    model: 'gpt-4o',
    messages: texts.map((content) => ({ role: 'user', content })),
  });
  expect(await server.stop()).toBe(0);
  return dataDir;
}

test.each([
  ['overwritten with noise', (path: string) => writeFileSync(path, seededBytes(statSync(path).size))],
  ['cut in half', (path: string) => truncateSync(path, statSync(path).size >> 1)],
  ['a few bytes of nothing', (path: string) => writeFileSync(path, 'nothing')],
])('a file that is %s makes a warning and right answers', async (_, damage) => {
  const dataDir = await usedDataDir();
  const files = filesOf(dataDir);
  expect(files.length).toBeGreaterThan(0);
  for (const path of files) damage(path);

  const server = await startServer({ PREFLIGHT_DATA_DIR: dataDir });
  const { status, body } = await post(server.url, '/v1/count', { text, encoding: 'o200k_base' });
  expect([status, body.tokens]).toEqual([200, tokens]);
  expect(server.output()).toContain('count_cache_in_memory_only');
  expect(await server.stop()).toBe(0);
});

test('a data folder that is a file makes a warning and right answers', async () => {
  const dataDir = await tempDir();
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(join(dataDir, 'counts'), 'in the way');
  const server = await startServer({ PREFLIGHT_DATA_DIR: dataDir });
  const { body } = await post(server.url, '/v1/count', { text, encoding: 'o200k_base' });
  expect(body.tokens).toBe(tokens);
  expect(server.output()).toContain('count_cache_in_memory_only');
});
