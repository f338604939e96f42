import { beforeAll, describe, expect, test } from 'vitest';
import { BOTH_WAYS } from '../harness/both-ways.js';
import { post } from '../harness/http.js';

const long = 'word '.repeat(100);

describe.each(BOTH_WAYS)('%s', (_, start) => {
  let url: string;
  beforeAll(async () => {
    ({ url } = await start());
  });

  describe('a message of the user between a call and its result', () => {
    const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } };
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: long },
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: long },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'user', content: 'Wait, what I meant is this.' },
      { role: 'tool', tool_call_id: 'c1', content: long },
      { role: 'user', content: 'And?' },
    ];
    const dropTurns = (format: string, count: string) =>
      post(url, '/v1/preflight', {
        ...{ format, count, messages, strategy: 'drop_turns' },
        ...{ encoding: 'o200k_base', context_window: 1000, max_output_tokens: 64, budget_tokens: 130 },
      });

    test.each([
      ['openai-chat', 'content'],
      ['openai-chat', 'request'],
      ['langroid', 'request'],
    ])('begins no turn: %s, %s', async (format, count) => {
      const { body } = await dropTurns(format, count);
      expect(body.edits.map(({ index }: { index: number }) => index)).toEqual([1, 2, 3, 4, 5, 6]);
      const [warning] = body.warnings;
      expect(warning).toMatchObject({ code: 'turn_within_unit', detail: expect.stringContaining(' 5,') });
    });

    test('begins one where the reference has it so', async () => {
      const { body } = await dropTurns('langroid', 'content');
      expect(body.edits.map(({ index }: { index: number }) => index)).toEqual([1, 2, 3, 4]);
      expect(body.warnings).toEqual([]);
    });
  });

  describe('thinking that is bound to its prefix', () => {
    const thinking = (text: string) => ({ type: 'thinking', thinking: text, signature: 'signed' });
    const use = { type: 'tool_use', id: 't1', name: 'look', input: {} };
    const messages = [
      { role: 'user', content: long },
      { role: 'assistant', content: [thinking('hm'), { type: 'text', text: 'So.' }] },
      { role: 'user', content: 'And?' },
      { role: 'assistant', content: [thinking('let me look'), use] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'found' }] },
    ];
    const request = { model: 'claude-fable-5-1', system: 'Be brief.', messages };

    test('goes with the first change before it, and the figures are those of a recount', async () => {
      const options = { request, max_output_tokens: 64, return: 'conversation' };
      const { body } = await post(url, '/v1/preflight', { ...options, budget_tokens: 100 });
      expect(body.messages.map(({ action, reason }: Record<string, string>) => [action, reason])).toEqual([
        ['cut', 'even_share'],
        ['cut', 'bound_to_prefix'],
        ['kept', null],
        ['kept', null],
        ['kept', null],
      ]);
      expect(body.conversation).toMatchObject({
        thinking: { block_binding: { prefix_mismatch_behavior: 'drop_block' } },
        messages: [{}, { role: 'assistant', content: [{ type: 'text', text: 'So.' }] }, ...messages.slice(2)],
      });
      expect(body.warnings).toMatchObject([{ code: 'thinking_binding' }]);
      const recount = await post(url, '/v1/count', { request: body.conversation });
      expect(recount.body.tokens).toBe(body.tokens.after);
      expect(recount.body.messages.map((row: Record<string, number>) => sumOf(row))).toEqual(
        body.messages.map((row: Record<string, number>) => row.tokens_after),
      );
      expect(recount.body.overhead).toMatchObject({ rule: 'claude', basis: 'estimate' });
    });

    test('goes with a summary among the instructions, which stand before everything', async () => {
      const options = { request, max_output_tokens: 64, return: 'conversation', summary: 'They met.' };
      const { body } = await post(url, '/v1/preflight', options);
      expect(body).toMatchObject({ outcome: 'fits', warnings: [{ code: 'thinking_binding' }] });
      expect(
        body.edits.map(({ op, index, pointer }: Record<string, unknown>) => [op, index ?? pointer]),
      ).toEqual([
        ['replace_content', 1],
        ['set', '/thinking/block_binding/prefix_mismatch_behavior'],
        ['set', '/system'],
      ]);
      expect(body.messages[1]).toMatchObject({ action: 'cut', reason: 'bound_to_prefix' });
      const recount = await post(url, '/v1/count', { request: body.conversation });
      expect(recount.body.tokens).toBe(body.tokens.after);
    });

    test('stays, with everything else, in a request that fits', async () => {
      const { body } = await post(url, '/v1/preflight', {
        request,
        max_output_tokens: 64,
        return: 'conversation',
      });
      expect(body).toMatchObject({ outcome: 'fits', edits: [], warnings: [], conversation: request });
    });
  });
});

function sumOf({ content_tokens = 0, attachment_tokens = 0, other_tokens = 0 }: Record<string, number>) {
  return content_tokens + attachment_tokens + other_tokens;
}
