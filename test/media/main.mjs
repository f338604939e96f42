// `npm run mutations`: headers of real files, changed at random, are inspected.
import { parseArgs } from 'node:util';
import { inspectMutated, readSeeds } from './mutations.mjs';

const USAGE = `npm run mutations -- [--cases N] [--seed N]

Inspects mutated images, documents, sounds and films: no answer may be missing, wrong in itself, or take 50 ms.
  --cases N   how many (100000)
  --seed N    of the first case (random)
`;

const { values } = parseArgs({
  options: { cases: { type: 'string' }, seed: { type: 'string' }, help: { type: 'boolean' } },
});
if (values.help) process.stdout.write(USAGE);
else {
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
  const cases = Number(values.cases ?? 100_000);
  const startMs = performance.now();
  process.stdout.write(`seed ${seed}\n`);
  const { failure, answers, slowestMs, slowest } = inspectMutated({
    seeds: readSeeds(),
    seed,
    cases,
    isTimed: true,
  });
  for (const [answer, count] of [...answers].sort((a, b) => b[1] - a[1]))
    process.stdout.write(`  ${answer} ${count}\n`);
  process.stdout.write(`slowest ${slowestMs.toFixed(1)} ms (${slowest})\n`);
  if (failure !== undefined) {
    process.stdout.write(
      `case ${failure.case} of seed ${seed}, from ${failure.name} as ${failure.form}: ${failure.reason}\n`,
    );
    process.exitCode = 1;
  } else process.stdout.write(`${cases} cases in ${((performance.now() - startMs) / 1000).toFixed(0)} s\n`);
}
