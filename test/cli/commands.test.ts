import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { post, send } from '../harness/http.js';
import { MARKER } from '../harness/problems.js';
import { runCommand, startServer } from '../harness/server-process.js';
import { tempDir } from '../harness/temp-dir.js';
import { jsonFile, sampleFile } from './sample.js';

const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Hello, how are you?' },
];

/** Lines of the table below its rule, up to the empty line. */
function rowsOf(stdout: string): string[] {
  const lines = stdout.split('\n');
  const rule = lines.findIndex((line) => line.startsWith('─'));
  return lines.slice(rule + 1, lines.indexOf('', rule));
}

describe('on the sample', () => {
  test('fit prints a row a message and the decision in one line', async () => {
    const { code, stdout } = await runCommand(['fit', await sampleFile()]);
    expect(code).toBe(0);
    expect(rowsOf(stdout)).toHaveLength(9);
    const [decision, ...more] = stdout.split('\n').filter((line) => /^Fits /.test(line));
    expect(decision).toMatch(/ of output.*o200k_base/);
    expect(more).toEqual([]);
  });

  test('by what the provider makes of its file, it fits as it is', async () => {
    const { code, stdout } = await runCommand(['fit', await sampleFile(), '--accounting', 'provider']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Fits as it is: /m);
  });

  test('--json is what HTTP answers, the edited conversation included', async () => {
    const path = await sampleFile();
    const { code, stdout } = await runCommand(['fit', path, '--json', '--conversation']);
    const server = await startServer();
    const payload = { ...JSON.parse(await readFile(path, 'utf8')), return: 'conversation' };
    const answer = await send(server.url, {
      path: '/v1/preflight',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payload),
    });
    expect(code).toBe(0);
    expect(comparable(JSON.parse(stdout))).toEqual(comparable(answer.body));
  });
});

function comparable({ id, request_id, timing, cache, ...rest }: Record<string, unknown>) {
  return rest;
}

test('count prints a row a message and the total', async () => {
  const { code, stdout } = await runCommand(['count', await jsonFile(messages), '--encoding', 'o200k_base']);
  expect(code).toBe(0);
  expect(rowsOf(stdout)).toHaveLength(2);
  expect(stdout).toMatch(/^[\d,]+ tokens \(o200k_base\)/m);
});

test('check prints places and rules, exits 2 until repaired, and --json is what HTTP answers', async () => {
  const orphan = { role: 'tool', tool_call_id: 'x', content: MARKER };
  const path = await jsonFile([...messages, orphan]);
  const table = await runCommand(['check', path]);
  expect(table.code).toBe(2);
  expect(rowsOf(table.stdout)).toEqual(['/messages/2  result_without_call']);
  expect(table.stdout).toMatch(/^OpenAI Chat Completions would refuse it: 1 violation\.$/m);
  expect(table.stdout).not.toContain(MARKER);

  const json = await runCommand(['check', path, '--repair', '--conversation', '--json']);
  const server = await startServer();
  const payload = { messages: [...messages, orphan], repair: true, return: 'conversation' };
  const answer = await post(server.url, '/v1/check', payload);
  expect([json.code, answer.status]).toEqual([0, 200]);
  expect(JSON.parse(json.stdout)).toEqual(answer.body);
  expect(answer.body.repaired.conversation).toEqual({ messages });
  expect((await runCommand(['check', await jsonFile(messages)])).code).toBe(0);
});

describe('exit codes', () => {
  test('0 when it fits, from a list of messages and from standard input', async () => {
    const argv = ['--model', 'gpt-4o', '--json'];
    const ofFile = await runCommand(['fit', await jsonFile(messages), ...argv]);
    const ofInput = await runCommand(['fit', '-', ...argv], { input: JSON.stringify({ messages }) });
    expect([ofFile.code, ofInput.code]).toEqual([0, 0]);
    expect(JSON.parse(ofFile.stdout).outcome).toBe('fits');
    expect(comparable(JSON.parse(ofInput.stdout))).toEqual(comparable(JSON.parse(ofFile.stdout)));
  });

  test('2 when it cannot fit, with the problem as HTTP answers it', async () => {
    const path = await jsonFile(messages);
    const options = ['--encoding', 'o200k_base', '--context-window', '5', '--min-output', '1'];
    const json = await runCommand(['fit', path, ...options, '--json']);
    const server = await startServer();
    const payload = { messages, encoding: 'o200k_base', context_window: 5, min_output_tokens: 1 };
    const answer = await send(server.url, {
      path: '/v1/preflight',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payload),
    });
    expect([json.code, answer.status]).toEqual([2, 422]);
    expect(comparable(JSON.parse(json.stdout))).toEqual(comparable(answer.body));
    const table = await runCommand(['fit', path, ...options]);
    expect(table.code).toBe(2);
    expect(table.stdout).toContain('ran_out_of_messages');
  });

  test.each([
    [['fit']],
    [['frobnicate']],
    [['fit', 'a', '--no-such-option']],
    [['fit', 'a', '--context-window', 'wide']],
    [['count', 'a', '--strategy', 'truncate']],
    [['serve', 'a']],
  ])('64 for %j', async (argv) => {
    const { code, stdout, stderr } = await runCommand(argv);
    expect(code).toBe(64);
    expect(stderr).toContain('preflight: ');
    expect(stdout).toBe('');
  });

  test.each([
    ['no JSON', `{"messages":"${MARKER}`, 'invalid_json'],
    ['an unknown option', { messages, stategy: 1 }, 'unknown_option'],
    ['no window', { messages }, 'context_window_required'],
  ])('65 for a file with %s', async (_, content, problem) => {
    const path = await jsonFile(content);
    const { code, stdout, stderr } = await runCommand(['fit', path, '--json']);
    expect([code, JSON.parse(stdout).code]).toEqual([65, problem]);
    expect(stdout + stderr).not.toContain(MARKER);
  });

  test('66 for a file that cannot be read', async () => {
    const missing = await runCommand(['fit', '/no/such/file.json']);
    expect([missing.code, missing.stdout]).toEqual([66, '']);
    expect(missing.stderr).toBe('preflight: cannot read /no/such/file.json: there is no such file\n');
    const folder = await runCommand(['count', await tempDir()]);
    expect([folder.code, folder.stdout]).toEqual([66, '']);
    expect(folder.stderr).toMatch(/cannot read .*: it is a folder\n$/);
  });

  test('78 for wrong settings', async () => {
    const { code } = await runCommand(['fit', await jsonFile(messages)], {
      settings: { PREFLIGHT_NOPE: '1' },
    });
    expect(code).toBe(78);
  });
});

test('--version is that of the package', async () => {
  const { version } = JSON.parse(await readFile('services/cli/package.json', 'utf8'));
  expect(await runCommand(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('/dev/stdin is a file like others', async () => {
  const input = JSON.stringify({ messages });
  const { code, stdout } = await runCommand(['count', '/dev/stdin', '--encoding', 'gpt2'], { input });
  expect([code, rowsOf(stdout).length]).toEqual([0, 2]);
});

test.each([[['--help']], [['fit', '--help']]])('%j explains with examples', async (argv) => {
  const { code, stdout } = await runCommand(argv);
  expect(code).toBe(0);
  for (const word of [
    'Usage',
    'Examples',
    'Exit codes',
    'preflight fit',
    'preflight count',
    'preflight serve',
  ])
    expect(stdout).toContain(word);
});
