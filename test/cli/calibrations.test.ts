import { join } from 'node:path';
import { expect, test } from 'vitest';
import { get, post } from '../harness/http.js';
import { MARKER } from '../harness/problems.js';
import { runCommand, startServer } from '../harness/server-process.js';
import { tempDir } from '../harness/temp-dir.js';
import { jsonFile } from './sample.js';

const request = {
  model: 'claude-opus-4-7',
  messages: [{ role: 'user', content: 'The harbour opened late in the morning. '.repeat(30) }],
};

test('what a service learned outlives it, and the commands tell, add to and forget the same', async () => {
  const settings = { PREFLIGHT_DATA_DIR: await tempDir() };
  const first = await startServer(settings);
  const counted = await post(first.url, '/v1/count', request);
  const { text_estimate } = counted.body;
  const charged = text_estimate.other_tokens + Math.round(text_estimate.tokens * 1.1);
  const usage = { model: request.model, actual_input_tokens: charged, text_estimate };
  for (let i = 0; i < 4; i++) await post(first.url, '/v1/calibrations', usage);
  expect(await first.stop()).toBe(0);

  // The fifth, and three that are not taken: one teaches nothing, two are refused.
  const usages = [usage, { ...usage, actual_input_tokens: 1e9 }, { ...usage, [MARKER]: 1 }];
  const lines = [...usages.map((one) => JSON.stringify(one)), `{"model":"${MARKER}`].join('\n');
  const added = await runCommand(['calibrations', 'add', '-', '--json'], { input: lines, settings });
  const answers = added.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(added.code).toBe(65);
  expect(answers).toMatchObject([
    { taken: true, samples: 5, rule: 'calibrated' },
    { taken: false, reason: 'implausible', samples: 5 },
    { code: 'unknown_option', status: 400 },
    { code: 'invalid_json', status: 400 },
  ]);
  expect(added.stderr).toBe('');
  expect(answers[3].detail).not.toContain(MARKER);

  const second = await startServer(settings);
  const listed = await runCommand(['calibrations', '--json'], { settings });
  expect([listed.code, JSON.parse(listed.stdout)]).toEqual([
    0,
    (await get(second.url, '/v1/calibrations')).body,
  ]);
  const again = await post(second.url, '/v1/count', request);
  expect(again.body.text_estimate).toMatchObject({ rule: 'calibrated', samples: 5 });
  const command = await runCommand(['count', await jsonFile(request), '--json'], { settings });
  expect(JSON.parse(command.stdout).text_estimate).toEqual(again.body.text_estimate);
  const table = await runCommand(['calibrations'], { settings });
  expect(table.stdout).toMatch(/^claude-opus-4-7 +5 +calibrated/m);

  expect((await runCommand(['calibrations', 'reset', request.model], { settings })).code).toBe(0);
  expect((await get(second.url, '/v1/calibrations')).body).toEqual({ calibrations: [] });
});

test('adds the usages of a list, and says what became of each', async () => {
  const settings = { PREFLIGHT_DATA_DIR: await tempDir() };
  const usage = {
    model: 'new-1',
    actual_input_tokens: 1100,
    text_estimate: { counted: { prose: 1000 }, other_tokens: 5 },
  };
  const small = {
    ...usage,
    actual_input_tokens: 9,
    text_estimate: { counted: { prose: 9 }, other_tokens: 0 },
  };
  const some = await runCommand(['calibrations', 'add', await jsonFile([usage, small])], { settings });
  expect(some.stdout).toBe(
    '1  taken: new-1, 1 samples, unknown\n' +
      '2  not taken, too_small: The texts of the request have 9 counted tokens; fewer than 100 teach nothing of the tokenizer.\n',
  );
  expect(some.code).toBe(2);
  expect((await runCommand(['calibrations', 'reset', '--all'], { settings })).code).toBe(0);
  const none = await runCommand(['calibrations', 'list'], { settings });
  expect([none.code, none.stdout]).toEqual([0, 'Nothing was learned of any model.\n']);
});

test('exits with what is wrong', async () => {
  const none = await runCommand(['calibrations'], { settings: { PREFLIGHT_DATA_DIR: 'none' } });
  expect([none.code, none.stderr]).toEqual([69, expect.stringContaining('PREFLIGHT_DATA_DIR is none')]);
  const settings = { PREFLIGHT_DATA_DIR: join(await jsonFile({}), 'below-a-file') };
  expect((await runCommand(['calibrations', 'add', await jsonFile([])], { settings })).code).toBe(69);
});
