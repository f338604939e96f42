import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ndjson } from '../harness/batches.js';
import { MAIN, runCommand } from '../harness/server-process.js';
import { tempDir } from '../harness/temp-dir.js';

const line = (id: string) => ({ id, encoding: 'o200k_base', text: `text of ${id}` });
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
    await runCommand(['batch', file, '--count', '--done', results], { appendTo: results });
    return (await readFile(results, 'utf8')).split('\n');
  };
  const idsOf = (lines: readonly string[]) =>
    read(lines.join('\n'))
      .map(({ id }) => id)
      .sort();
  const [first, second] = (await run()) as [string, string];
  // Broken off where an object ends that is not the result itself.
  const broken = second.slice(0, second.lastIndexOf('}', second.length - 2) + 1);
  expect(broken.length).toBeGreaterThan(0);
  await writeFile(results, `${first}\n${broken}`);
  const whole = await run();
  expect(idsOf(whole)).toEqual(['a', 'b', 'c', 'd']);
  expect(whole[0]).toBe(first);
  expect(await run()).toEqual(whole);
});

test('results of an earlier run that are only read stay as they are', async () => {
  const directory = await tempDir();
  const [file, results] = [join(directory, 'lines'), join(directory, 'results')];
  await writeFile(file, ndjson([line('a')]));
  await writeFile(results, '{"line":1,"id":"a"');
  const { stdout } = await runCommand(['batch', file, '--count', '--done', results]);
  expect(read(stdout).map(({ id }) => id)).toEqual(['a']);
  expect(await readFile(results, 'utf8')).toBe('{"line":1,"id":"a"');
});

test('lines that are no results, such as those of the batch itself, are done', async () => {
  const file = join(await tempDir(), 'lines');
  await writeFile(file, ndjson([line('a'), line('b')]));
  const { code, stdout } = await runCommand(['batch', file, '--count', '--done', file]);
  expect([code, read(stdout).length]).toEqual([0, 2]);
  expect(await readFile(file, 'utf8')).toBe(ndjson([line('a'), line('b')]));
});

test.each([
  [['batch'], 64],
  [['batch', 'no-such-file'], 66],
  [['batch', '-', '--done', 'no-such-file'], 66],
])('%j ends with %d', async (argv, code) => {
  expect((await runCommand(argv)).code).toBe(code);
});

test('a reader who is slow, or has seen enough, is no fault', async () => {
  const file = join(await tempDir(), 'lines');
  await writeFile(file, ndjson(Array.from({ length: 3_000 }, (_, i) => line(`${i} ${'x'.repeat(250)}`))));
  const run = (reader: string) =>
    promisify(execFile)(
      'bash',
      [
        '--norc',
        '-c',
        `set -o pipefail; "$0" "$1" batch "$2" --count | ${reader}`,
        process.execPath,
        MAIN,
        file,
      ],
      {
        env: { PATH: process.env.PATH, PREFLIGHT_DATA_DIR: 'none' },
      },
    );
  expect(await run('(sleep 1; wc -l)')).toEqual({ stdout: '3000\n', stderr: '' });
  expect(await run('head -n 1 | wc -l')).toEqual({ stdout: '1\n', stderr: '' });
});
