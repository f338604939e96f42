import { expect, it } from 'vitest';

/** JavaScript without declarations: it is loaded by a name that the compiler does not follow. */
const load = (file: string) => import(new URL(file, import.meta.url).href);
const { inspectMutated, readSeeds } = await load('./mutations.mjs');

it('a slice of the mutations gets an answer each, and the same every time', () => {
  const run = () => inspectMutated({ seeds: readSeeds(), seed: 1, cases: 5000, isTimed: false });
  const { failure, answers } = run();
  expect(failure).toBeUndefined();
  for (const answer of [
    'image',
    'pdf',
    'audio',
    'video',
    'damaged',
    'unknown_type',
    'encrypted',
    'too_large',
  ])
    expect(answers.get(answer), answer).toBeGreaterThan(10);
  expect(run().answers).toEqual(answers);
});
