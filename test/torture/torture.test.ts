import { describe, expect, it } from 'vitest';
import { startParts } from '../harness/in-process.js';
import { CASES, type Plain, type TortureCase, variantsOf } from './cases.js';
import { faultsOf } from './expectations.js';
import { Product, Skipped } from './product.js';

/** Trimming, pairing, shapes, texts and budgets. The other themes have suites of their own. */
const THEMES = new Set([
  'trim-shape',
  'trim-performance',
  'tool-pairing',
  'message-shapes',
  'unicode',
  'special-tokens',
  'output-budget',
  'even-share',
]);

const product = new Product(startParts());

describe.each(CASES.filter(({ theme }) => process.env.TORTURE === 'all' || THEMES.has(theme)))(
  '$id, $title',
  (torture) => {
    it.for(variantsOf(torture))('$name', async ({ name, input, isOptional }, context) => {
      const outcomes = await product.run({ ...input, op: torture.input.op }).catch((error: unknown) => {
        if (error instanceof Skipped) context.skip(isOptional ? 'optional' : error.message);
        throw error;
      });
      for (const [i, outcome] of outcomes.entries())
        for (const expected of expectationsOf(torture, name, input, i))
          expect(faultsOf(expected, outcome, input), JSON.stringify(outcome.code)).toEqual([]);
    });

    const alike = torture.expect.same_tokens as string[][] | undefined;
    if (alike === undefined) return;
    it('counts alike', async () => {
      for (const names of alike) {
        const counts = variantsOf(torture)
          .filter(({ name }) => names.includes(name as string))
          .map(async ({ input }) => (await product.run({ ...input, op: torture.input.op }))[0]?.tokens);
        expect(new Set(await Promise.all(counts)).size, names.join(' ')).toBe(1);
      }
    });
  },
);

/** What must hold for one variant: for all of them, for it by name, and exact totals by encoding. */
function expectationsOf(
  torture: TortureCase,
  name: string | undefined,
  input: Plain,
  outcomeIndex: number,
): Plain[] {
  const {
    each = {},
    variants = {},
    same_tokens,
    relations,
    ...whole
  } = torture.expect as Record<string, Plain>;
  const own = name === undefined ? whole : { ...whole, ...each, ...(variants[name] as Plain | undefined) };
  const { tokens, ...others } = own;
  if (tokens === undefined) return [others];
  const encoding = (input.encodings as string[] | undefined)?.[outcomeIndex];
  const total = encoding === undefined ? tokens : (tokens as unknown as Record<string, number>)[encoding];
  return [others, { tokens_between: [total, total] }];
}
