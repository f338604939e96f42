import { expect, test } from 'vitest';
import { post } from '../harness/http.js';
import { startApi } from '../harness/in-process.js';

const { url } = await startApi();
const words = (word: string, times: number) => `${word} `.repeat(times).trim();
const data = Buffer.from('not really an image '.repeat(200)).toString('base64');
const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } };

/** Each way can make room in it: old turns, a long result, an image that stands twice. */
const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: [{ type: 'text', text: words('old', 1500) }, image] },
  { role: 'assistant', content: words('answer', 1500) },
  { role: 'user', content: 'Look it up.' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'find', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'a', content: words('result', 3000) },
  { role: 'assistant', content: 'Found.' },
  { role: 'user', content: [{ type: 'text', text: 'And this?' }, image] },
];
const common = { model: 'gpt-4o', messages, return: 'conversation' };
const whole = (await post(url, '/v1/count', { model: 'gpt-4o', messages })).body.tokens as number;
const less = { budget_tokens: whole - 1000 };
const cut = (side: string) => ({ user: side, assistant: side, tool: side });
const dropping = { strategy: 'drop_turns', ...less };

const ways: readonly (readonly [string, object, string])[] = [
  ['truncate', { strategy: 'truncate', ...less }, 'truncated'],
  ['max_min', { truncate: { max_min: true }, ...less }, 'truncated'],
  ...['head', 'tail', 'middle'].map(
    (side) => [side, { truncate: { cut: cut(side) }, ...less }, 'truncated'] as const,
  ),
  ['weights', { truncate: { weights: [{ index: 2, weight: 2 }] }, ...less }, 'truncated'],
  ['pins', { pins: [1], ...less }, 'truncated'],
  ['drop_turns', dropping, 'turns_dropped'],
  ['trim', { strategy: 'trim', ...less }, 'trimmed'],
  ['elide_tool_results', { strategy: 'elide_tool_results', ...less }, 'tool_results_elided'],
  ['elide_attachments', { strategy: 'elide_attachments', ...less }, 'attachments_elided'],
  [
    'elide_repeated_attachments',
    { strategy: 'elide_repeated_attachments', ...less },
    'repeated_attachments_elided',
  ],
  ['attachments: elide_oldest', { attachments: 'elide_oldest', ...less }, 'attachments_elided'],
  ['attachments: elide_repeated', { attachments: 'elide_repeated', ...less }, 'repeated_attachments_elided'],
  ['max_request_bytes', { max_request_bytes: JSON.stringify(messages).length - 1000 }, 'truncated'],
  ['summary and facts', { ...dropping, summary: 'They spoke.', facts: { city: 'Oslo' } }, 'turns_dropped'],
  ['summary_tokens', { ...dropping, summary_tokens: 50 }, 'turns_dropped'],
];
const fallbacks = [
  'elide_repeated_attachments',
  'elide_attachments',
  'elide_tool_results',
  'truncate',
  'drop_turns',
  'trim',
];

test.each(ways)('%s makes it fit, alone and in a list', async (_, way, outcome) => {
  const first = 'strategy' in way ? String(way.strategy) : 'truncate';
  for (const strategy of [first, [first, ...fallbacks.filter((each) => each !== first)]]) {
    const { status, body } = await post(url, '/v1/preflight', { ...common, ...way, strategy });
    expect([status, body.outcome], body.detail).toEqual([200, outcome]);
    expect(body.edits.length).toBeGreaterThan(0);
    const request = { model: 'gpt-4o', messages: body.conversation.messages };
    const { body: counted } = await post(url, '/v1/count', request);
    expect(counted.tokens).toBe(body.tokens.after);
    const { body: checked } = await post(url, '/v1/check', request);
    expect([checked.legal, checked.violations]).toEqual([true, []]);
  }
});

test('trim_messages', async () => {
  const trim_messages = { max_tokens: 4, token_counter: 'len', start_on: 'human', include_system: true };
  const answer = await post(url, '/v1/preflight', {
    messages,
    strategy: 'trim_messages',
    trim_messages,
    return: 'conversation',
  });
  expect(answer.body).toMatchObject({ outcome: 'trimmed', hazards: [] });
  expect(answer.body.edits.length).toBeGreaterThan(0);
  expect(answer.body.conversation.messages).toHaveLength(answer.body.tokens.after);
});
