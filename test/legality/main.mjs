// `npm run legality`: see USAGE.
import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';

const USAGE = `Judges what strategies give back by a checker that is not the product's.

  npm run legality -- [options]

  --conversations N   of each format (default 2000)
  --format NAME       one format alone; else every one there is
  --budgets N         for each conversation and strategy (default 20)
  --seed N            the same seed gives the same conversations (default 20261130)
`;

const { values } = parseArgs({
  options: {
    conversations: { type: 'string', default: '2000' },
    format: { type: 'string' },
    budgets: { type: 'string', default: '20' },
    seed: { type: 'string', default: '20261130' },
    help: { type: 'boolean' },
  },
});

if (values.help) process.stdout.write(USAGE);
else {
  const { conversations, budgets, seed, format } = values;
  const env = {
    LEGALITY_CONVERSATIONS: conversations,
    LEGALITY_BUDGETS: budgets,
    TEST_SEED: seed,
    ...(format === undefined ? {} : { LEGALITY_FORMAT: format }),
  };
  // Each format as long as it takes; its report is written as soon as it is there.
  const vitest = await startVitest('test', ['test/legality/run/'], { env, testTimeout: 0, watch: false });
  await vitest.close();
}
