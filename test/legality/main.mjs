// `npm run legality`: see USAGE.
import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';

const USAGE = `Judges what strategies give back by a checker that is not the product's.

  npm run legality -- [options]

  --conversations N   of each format (default 2000)
  --format NAME       one format alone; else every one there is
  --budgets N         for each conversation and strategy (default 20)
  --option-ways N     of the ways that are strategies with options, so many for each conversation, by turns (default: all)
  --seed N            the same seed gives the same conversations (default 20261130)
`;

const { values } = parseArgs({
  options: {
    conversations: { type: 'string', default: '2000' },
    format: { type: 'string' },
    budgets: { type: 'string', default: '20' },
    'option-ways': { type: 'string' },
    seed: { type: 'string', default: '20261130' },
    help: { type: 'boolean' },
  },
});

if (values.help) process.stdout.write(USAGE);
else {
  const { conversations, budgets, seed, format, 'option-ways': optionWays } = values;
  const env = {
    LEGALITY_CONVERSATIONS: conversations,
    LEGALITY_BUDGETS: budgets,
    TEST_SEED: seed,
    ...(format === undefined ? {} : { LEGALITY_FORMAT: format }),
    ...(optionWays === undefined ? {} : { LEGALITY_OPTION_WAYS: optionWays }),
  };
  // Each format as long as it takes; what there is so far is reported every hundred conversations.
  // Answers are short-lived: with room for them, less is copied.
  const execArgv = ['--max-semi-space-size=64'];
  const vitest = await startVitest('test', ['test/legality/run/'], {
    env,
    execArgv,
    testTimeout: 0,
    watch: false,
  });
  await vitest.close();
}
