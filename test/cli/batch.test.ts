import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../harness/server-process.js';
import { tempDir } from '../harness/temp-dir.js';

const line = (id: string) => ({ id, encoding: 'o200k_base', text: `text of ${id}` });
const ndjson = (lines: readonly object[]) => lines.map((each) => `${JSON.stringify(each)}\n`).join('');
const read = (text: string) =>
  text
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((each) => JSON.parse(each));

test('each line has its result, whatever the others are', async () => {
  const input = `${ndjson([line('a'), line('b')])}broken\n${ndjson([line('c')])}`;
  const { code, stdout } = await runCommand(['batch', '-', '--count'], { input });
  expect(code).toBe(2);
  expect(
    read(stdout)
      .map(({ id, line, status }) => [id, line, status])
      .sort(),
  ).toEqual([
    [null, 3, 400],
    ['a', 1, 200],
    ['b', 2, 200],
    ['c', 4, 200],
  ]);
});

test('a run that was broken off is gone on with', async () => {
  const directory = await tempDir();
  const [file, results] = [join(directory, 'lines'), join(directory, 'results')];
  await writeFile(file, ndjson(['a', 'b', 'c', 'd'].map(line)));
  await writeFile(results, '');
  const run = async () => {
    const { code, stdout } = await runCommand(['batch', file, '--count', '--done', results]);
    await appendFile(results, stdout);
    return {
      code,
      ids: read(stdout)
        .map(({ id }) => id)
        .sort(),
    };
  };
  expect(await run()).toEqual({ code: 0, ids: ['a', 'b', 'c', 'd'] });
  const [first, second] = (await readFile(results, 'utf8')).split('\n') as [string, string];
  await writeFile(results, `${first}\n${second.slice(0, 40)}`);
  const missing = ['a', 'b', 'c', 'd'].filter((id) => id !== JSON.parse(first).id);
  expect((await run()).ids).toEqual(missing);
});

test.each([
  [['batch'], 64],
  [['batch', 'no-such-file'], 66],
  [['batch', '-', '--done', 'no-such-file'], 66],
])('%j ends with %d', async (argv, code) => {
  expect((await runCommand(argv)).code).toBe(code);
});
