import { FORMATS } from '@preflight/formats';
import { expect, it } from 'vitest';
import { counterexampleLines, reportLines } from './report.js';
import { counterexample, run, type Tally } from './run.js';
import { Service } from './service.js';

/** A slice, unless `npm run legality` asks for more; over all formats and strategies that there are. */
const { LEGALITY_CONVERSATIONS, LEGALITY_BUDGETS, LEGALITY_FORMAT, LEGALITY_OPTION_WAYS, TEST_SEED } =
  process.env;
const conversations = Number(LEGALITY_CONVERSATIONS ?? 8);
const budgets = Number(LEGALITY_BUDGETS ?? 5);
const optionWays = Number(LEGALITY_OPTION_WAYS ?? Number.POSITIVE_INFINITY);
const seed = Number(TEST_SEED ?? 20_261_130);
const formats = LEGALITY_FORMAT === undefined ? Object.keys(FORMATS) : [LEGALITY_FORMAT];

/** By the command, and not by the tests. */
const isAsked = LEGALITY_CONVERSATIONS !== undefined;
const report = (tally: Tally) => void process.stdout.write(`${reportLines(tally).join('\n')}\n`);

const service = new Service();

it.each(formats)('%s: results are typed refusals, or requests that the provider takes', async (format) => {
  const options = {
    format,
    conversations,
    budgets,
    seed,
    optionWays,
    onProgress: isAsked ? report : undefined,
  };
  const tally = await run(service, options);
  const lines = reportLines(tally);
  if (tally.faults.size > 0) {
    const found = await counterexample(service, options);
    if (found) lines.push(...counterexampleLines(found));
  }
  if (isAsked) process.stdout.write(`${lines.join('\n')}\n`);
  expect(tally.faults.size, lines.join('\n')).toBe(0);
  expect(tally.outcomes.size).toBeGreaterThan(1);
});
