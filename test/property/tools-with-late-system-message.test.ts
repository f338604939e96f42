import { expect, test } from 'vitest';
import { Fitter, withRequest } from './fit-case.js';
import { messageEdits } from './message-parts.js';

const fitter = new Fitter();

const tools = [
  {
    type: 'function',
    function: {
      name: 'f',
      description: 'd',
      parameters: { type: 'object', properties: { q: { type: 'string' } } },
    },
  },
];

/** The declaration rule of gpt-4 lets tool schemas join the first system message, which may stand between turns. */
test.each([
  ['drop_turns', 'word '.repeat(500)],
  ['truncate', 'word.\n'.repeat(500)],
])('%s: what is done to a system message between turns is in the recount', async (strategy, content) => {
  const messages = [
    { role: 'user', content: 'hi' },
    { role: 'system', content },
    { role: 'user', content: 'last' },
  ];
  const counted = { model: 'gpt-4', messages, tools };
  const { fitted } = await fitter.preflight({
    ...counted,
    context_window: 700,
    strategy,
    return: 'conversation',
  });
  expect(fitted && messageEdits(fitted).map(({ index }) => index)).toContain(1);
  const recount = await fitter.count(withRequest(counted, fitted?.conversation ?? {}));
  expect(recount.tokens).toBe(fitted?.tokens.after);
});
