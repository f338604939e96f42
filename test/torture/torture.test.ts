import { describe, expect, it, type TestContext } from 'vitest';
import { startParts } from '../harness/in-process.js';
import { CASES, type Plain, type TortureCase, type Variant, variantsOf } from './cases.js';
import { faultsOf } from './expectations.js';
import { Product, Skipped } from './product.js';

/** Trimming, pairing, shapes, texts, budgets, and what attachments and tools cost. The other themes have suites of their own. */
const THEMES = new Set([
  'trim-shape',
  'trim-performance',
  'tool-pairing',
  'message-shapes',
  'unicode',
  'special-tokens',
  'output-budget',
  'even-share',
  'offline-and-models',
  'wire-bytes',
  'attachment-overcount',
  'attachment-undercount',
  'image-pricing',
  'count-mismatch',
  'schema-tokens',
]);

const product = new Product(startParts());

describe.each(CASES.filter(({ theme }) => process.env.TORTURE === 'all' || THEMES.has(theme)))(
  '$id, $title',
  (torture) => {
    const run = async ({ input, isOptional }: Variant, context: TestContext) =>
      product.run({ op: torture.input.op, ...input }).catch((error: unknown) => {
        if (error instanceof Skipped) context.skip(isOptional ? 'optional' : error.message);
        throw error;
      });

    it.for(variantsOf(torture))('$name', async (variant, context) => {
      const outcomes = await run(variant, context);
      for (const [i, outcome] of outcomes.entries())
        for (const expected of expectationsOf(torture, variant, i))
          expect(faultsOf(expected, outcome, variant.input), outcome.code).toEqual([]);
    });

    const alike = torture.expect.same_tokens as string[][] | undefined;
    if (alike === undefined) return;
    it('counts alike', async (context) => {
      for (const names of alike) {
        const variants = variantsOf(torture).filter(({ name }) => names.includes(name as string));
        const counts = variants.map(async (variant) => (await run(variant, context))[0]?.tokens);
        expect(new Set(await Promise.all(counts)).size, names.join(' ')).toBe(1);
      }
    });
  },
);

/** What must hold for one variant: for all of them, for it by name, and exact totals by encoding. */
function expectationsOf(torture: TortureCase, { name, input }: Variant, outcomeIndex: number): Plain[] {
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
