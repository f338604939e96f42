import { finish, type JsonObject, jsonBytes, type Steps } from '@preflight/core';
import { describe, expect, it } from 'vitest';
import { detectFormat, FORMATS, type Format } from '../index.js';
import { checkLegality, LEGALITIES, repairRequest } from './index.js';

const chat: Format = FORMATS['openai-chat'];
const anthropic: Format = FORMATS['anthropic-messages'];

const user = (content: string) => ({ role: 'user', content });
const call = (...ids: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
});
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'r' });
const places = (request: JsonObject, format = chat, model = '') =>
  finish(checkLegality(request, format, model)).violations.map(({ code, pointer }) => [code, pointer]);
const editsOf = (request: JsonObject, format = chat, model = '') =>
  finish(repairRequest(request, format, model)).edits;

describe('a check', () => {
  it('names the place, the rule and where that is known from', () => {
    const { isLegal, provider, violations } = finish(
      checkLegality({ messages: [user('a'), result('x')] }, chat, ''),
    );
    expect([isLegal, provider]).toEqual([false, 'OpenAI Chat Completions']);
    expect(violations).toEqual([
      {
        code: 'result_without_call',
        pointer: '/messages/1',
        rule: expect.objectContaining({
          match: 'must be a response to a preceeding message',
          asOf: '2026-11',
        }),
      },
    ]);
  });

  it('tells of calls out of place what is so as it stands, and leaves out what would be so then', () => {
    const model = (name: string) => ({ role: 'model', parts: [{ functionCall: { name, args: {} } }] });
    const response = (name: string) => ({
      role: 'user',
      parts: [{ functionResponse: { name, response: {} } }],
    });
    const critic = { role: 'critic', parts: [{ text: 'a' }] };
    const contents = [critic, model('f'), response('f'), model('g'), response('g')];
    const ordered = places({ contents }, FORMATS.gemini).filter(([code]) => code === 'call_turn_order');
    expect(ordered).toEqual([['call_turn_order', '/contents/1/parts/0']]);
    expect(editsOf({ contents }, FORMATS.gemini)).toEqual(
      [0, 1, 2, 3, 4].map((index) => ({ op: 'drop', index })),
    );
  });

  it('finds what cannot even be read', () => {
    expect(places({ messages: [user('a'), { role: 'user', content: 7 }] })).toEqual([
      ['malformed', '/messages/1/content'],
    ]);
  });

  it('escapes names in its places', () => {
    expect(places({ messages: [{ ...user('a'), 'x/~': '\ud83d' }] })).toEqual([
      ['ill_formed_string', '/messages/0/x~1~0'],
    ]);
  });

  it('takes a text in place of a list of items, and what the provider keeps itself', () => {
    const responses: Format = FORMATS['openai-responses'];
    expect(places({ input: 'hello' }, responses)).toEqual([]);
    expect(places({ prompt: { id: 'p' } }, responses)).toEqual([]);
    expect(places({ previous_response_id: 'r' }, responses)).toEqual([]);
    expect(places({ input: 'half \ud83d' }, responses)).toEqual([['ill_formed_string', '/input']]);
    expect(places({ input: [] }, responses)).toEqual([['no_messages', '/input']]);
  });

  it('takes a call in a UI that the user has decided on, or that is not written yet', () => {
    const messages = (state: string) => [
      { role: 'user', parts: [{ type: 'text', text: 'a' }] },
      { role: 'assistant', parts: [{ type: 'tool-f', toolCallId: 'x', state, input: {} }] },
    ];
    const codes = (state: string) =>
      places({ messages: messages(state) }, FORMATS['ai-sdk']).map(([code]) => code);
    expect(codes('approval-responded')).toEqual([]);
    expect(codes('input-streaming')).toEqual([]);
    expect(codes('approval-requested')).toEqual(['call_without_result']);
  });

  it('takes the calls of LangChain from their list, else from blocks of the content', () => {
    const block = { type: 'tool_call', id: 'x', name: 'f', args: {} };
    const answered = (ai: JsonObject) => ({
      messages: [
        { type: 'human', content: 'a' },
        { type: 'ai', ...ai },
        { type: 'tool', tool_call_id: 'x', content: 'r' },
      ],
    });
    for (const ai of [{ content: [block] }, { content: [block], tool_calls: [block] }])
      expect(places(answered(ai), FORMATS.langchain)).toEqual([]);
  });

  it('takes advice for no violation', () => {
    const { isLegal, violations } = finish(
      checkLegality({ max_tokens: 1, messages: [user('a'), user('b')] }, anthropic, ''),
    );
    expect(violations.map(({ code }) => code)).toEqual(['roles_alternate']);
    expect(isLegal).toBe(true);
  });

  it('misses content where nothing stands in its place', () => {
    expect(places({ messages: [{ role: 'user', content: null }, { role: 'assistant' }] })).toEqual([
      ['empty_content', '/messages/0/content'],
      ['empty_content', '/messages/1/content'],
    ]);
    expect(places({ messages: [user('a'), { role: 'assistant', content: null, refusal: 'no' }] })).toEqual(
      [],
    );
    const contents = [{ role: 'user' }, { role: 'user', parts: [] }];
    expect(places({ contents }, FORMATS.gemini).map(([, pointer]) => pointer)).toEqual([
      '/contents/0/parts',
      '/contents/1/parts',
    ]);
    const tool = { role: 'tool', tool_call_id: 'x' };
    const { request } = finish(repairRequest({ messages: [user('a'), call('x'), tool] }, chat, ''));
    expect((request.messages as JsonObject[])[2]).toEqual({ ...tool, content: '' });
  });

  it('says of a place what it asks for, not what messages ask for', () => {
    const { violations } = finish(checkLegality({ messages: [user('a')], tools: 'x' }, chat, ''));
    expect(violations.map(({ code, pointer, rule }) => [code, pointer, rule.detail])).toEqual([
      ['malformed', '/tools', 'must be an array of objects'],
    ]);
    const image = (image_url: unknown) => ({
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url }] }],
    });
    expect(places(image(5) as JsonObject)).toEqual([
      ['malformed', '/messages/0/content/0/image_url'],
      ['malformed', '/messages/0/content/0'],
    ]);
    expect(places(image('https://a.b/c.png') as JsonObject)).toEqual([
      ['malformed', '/messages/0/content/0'],
    ]);
  });

  it('misses `max_tokens` in a whole request of Anthropic, and not in a conversation alone', () => {
    const request = { messages: [user('a')] };
    expect(places(request, anthropic)).toEqual([['missing_field', '/max_tokens']]);
    const alone = finish(checkLegality(request, anthropic, '', { isConversationAlone: true }));
    expect(alone.violations).toEqual([]);
  });

  it('hints that a model is of another vendor, unless a gateway is named', () => {
    const of = (model: string, format = chat) => {
      const request = { model, max_tokens: 1, messages: [user('a')] };
      const { isLegal, violations } = finish(checkLegality(request, format, model));
      return [isLegal, ...violations.map(({ code, pointer }) => `${code} ${pointer}`)];
    };
    expect(of('claude-opus-4-6')).toEqual([true, 'model_of_another /model']);
    expect(of('gpt-5', anthropic)).toEqual([true, 'model_of_another /model']);
    for (const model of ['gpt-4o', 'o3', 'anthropic/claude-opus-4-6', 'llama-4'])
      expect(of(model)).toEqual([true]);
  });

  it('takes a call of the AI SDK that the user has decided on, and misses one that is to be decided', () => {
    const toolCall = { type: 'tool-call', toolCallId: 'x', toolName: 'f', input: {} };
    const asked = { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'x' };
    const decided = { type: 'tool-approval-response', approvalId: 'p', approved: true };
    const answer = {
      type: 'tool-result',
      toolCallId: 'x',
      toolName: 'f',
      output: { type: 'text', value: 'r' },
    };
    const codes = (...tools: JsonObject[]) =>
      places(
        {
          messages: [
            user('a'),
            { role: 'assistant', content: [toolCall, asked] },
            ...tools.map((part) => ({ role: 'tool', content: [part] })),
          ],
        },
        FORMATS['ai-sdk'],
      ).map(([code]) => code);
    expect(codes(decided)).toEqual([]);
    expect(codes(decided, answer)).toEqual([]);
    expect(codes({ ...decided, approvalId: 'q' })).toEqual(['call_without_result']);
    expect(codes()).toEqual(['call_without_result']);
  });

  it('takes what tools of the provider did on Bedrock', () => {
    const toolUse = { toolUseId: 'x', name: 'search', input: {}, type: 'server_tool_use' };
    const toolResult = { toolUseId: 'x', content: [{ text: 'r' }], type: 'server_tool_result' };
    const messages = [
      { role: 'user', content: [{ text: 'a' }] },
      { role: 'assistant', content: [{ toolUse }, { toolResult }, { text: 'b' }] },
      { role: 'user', content: [{ text: 'c' }] },
    ];
    expect(places({ messages }, FORMATS['bedrock-converse'])).toEqual([]);
  });

  it('tells short forms of Gemini for what they are', () => {
    for (const contents of ['hi', { role: 'user', parts: [{ text: 'hi' }] }]) {
      expect(detectFormat({ contents }).name).toBe('gemini');
      const { violations } = finish(checkLegality({ contents }, FORMATS.gemini, ''));
      expect(violations[0]).toMatchObject({
        pointer: '/contents',
        rule: { detail: expect.stringContaining('what the SDK takes') },
      });
    }
    const contents = [{ role: 'user', parts: 'hi' }];
    expect(places({ contents }, FORMATS.gemini)[0]).toEqual(['malformed', '/contents/0/parts']);
  });

  it('measures files that are named by digest as the provider gets them', () => {
    const digest = `sha256:${'0'.repeat(64)}`;
    const url = { digest, bytes: 3_000, mime_type: 'image/png' };
    const of = (data: unknown) =>
      ({
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: data } }] }],
      }) as JsonObject;
    const sent = of(`data:image/png;base64,${'A'.repeat(4_000)}`);
    expect(finish(checkLegality(of(url), chat, '')).bytes).toBe(JSON.stringify(sent).length);
    const huge = of({ ...url, bytes: 400_000_000 });
    expect(places(huge)).toEqual([['body_too_large', '']]);
  });
});

describe('a repair', () => {
  it('leaves out calls without results, and results without calls', () => {
    const messages = [user('a'), call('x', 'y'), result('y'), result('z'), user('b'), call('w')];
    const answered = { ...call('y') };
    expect(editsOf({ messages })).toEqual([
      { op: 'insert', before: 1, message: answered },
      { op: 'drop', index: 1 },
      { op: 'drop', index: 3 },
      { op: 'drop', index: 5 },
    ]);
  });

  it('leaves no thinking behind its edits that is bound to what stood before', () => {
    const thought = { type: 'thinking', thinking: 't', signature: 's' };
    const answer = (...blocks: JsonObject[]) => ({
      role: 'assistant',
      content: [...blocks, { type: 'text', text: 'b' }],
    });
    const use = { type: 'tool_use', id: 'x', name: 'f', input: {} };
    const back = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x', content: 'r' }] };
    const messages = [user('a'), answer(thought), user(' '), user('c'), answer(thought), user('d')];
    const of = (messages: JsonObject[], model: string, more = {}) =>
      finish(repairRequest({ max_tokens: 1, messages, ...more }, anthropic, model));
    const { request, edits } = of(messages, 'claude-fable-5-1');
    const left = [user('a'), answer(thought), user('c'), answer(), user('d')];
    expect(request).toEqual({ max_tokens: 1, messages: left });
    expect(finish(anthropic.apply({ max_tokens: 1, messages }, edits))).toEqual(request);
    // What goes stood between two of other roles, which are not joined for it.
    expect(of(messages, 'claude-opus-4-6').request.messages).toEqual(left.with(3, answer(thought)));
    expect(of(messages.toSpliced(2, 1), 'claude-fable-5-1').edits).toEqual([]);

    // The turn under way is taken only complete: the provider is told.
    const underWay = [user(' '), ...messages.slice(3), answer(thought, use), back];
    const told = of(underWay, 'claude-fable-5-1');
    const thinking = { block_binding: { prefix_mismatch_behavior: 'drop_block' } };
    expect(told.request).toEqual({
      max_tokens: 1,
      thinking,
      messages: [user('c'), answer(), user('d'), answer(thought, use), back],
    });
    expect(told.edits.at(-1)).toMatchObject({ op: 'set', value: 'drop_block' });
    expect(of(underWay, 'claude-fable-5-1', { thinking }).request.messages).toEqual(underWay.slice(1));
  });

  it('keeps what an assistant said beside a call that goes', () => {
    const said = { role: 'assistant', content: 'said', tool_calls: call('x').tool_calls };
    expect(editsOf({ messages: [user('a'), said, user('b')] })).toEqual([
      { op: 'insert', before: 1, message: { role: 'assistant', content: 'said' } },
      { op: 'drop', index: 1 },
    ]);
  });

  it('mends texts outside of messages by fields', () => {
    expect(editsOf({ system: 'a\udc00', messages: [user('b')] }, anthropic)).toEqual([
      { op: 'set', pointer: '/system', value: 'a\ufffd' },
    ]);
  });

  it('joins results that were split, and puts them before texts', () => {
    const use = {
      role: 'assistant',
      content: ['x', 'y'].map((id) => ({ type: 'tool_use', id, name: 'f', input: {} })),
    };
    const block = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'r' });
    const text = { type: 'text', text: 'and' };
    const messages = [
      user('a'),
      use,
      { role: 'user', content: [text, block('x')] },
      { role: 'user', content: [block('y')] },
    ];
    const { request, verdict } = finish(repairRequest({ max_tokens: 1, messages }, anthropic, ''));
    expect(verdict.violations).toEqual([]);
    expect(request.messages).toEqual([
      user('a'),
      use,
      { role: 'user', content: [block('x'), block('y'), text] },
    ]);
  });

  it('changes the places of a system message and what it stands before', () => {
    const messages = [{ role: 'system', content: 's' }, user('a')];
    const { edits, request } = finish(repairRequest({ max_tokens: 1, messages }, anthropic, ''));
    expect(request.messages).toEqual([user('a'), messages[0]]);
    expect(finish(anthropic.apply({ max_tokens: 1, messages }, edits))).toEqual(request);
  });

  it('puts several of them behind the results that they stand before, and breaks no pair', () => {
    const [first, second] = ['s', 't'].map((content) => ({ role: 'system', content }));
    const use = { role: 'assistant', content: [{ type: 'tool_use', id: 'x', name: 'f', input: {} }] };
    const answer = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x', content: 'r' }] };
    const messages = [user('a'), use, first, second, answer] as JsonObject[];
    const { edits, request, verdict } = finish(repairRequest({ max_tokens: 1, messages }, anthropic, ''));
    expect(request.messages).toEqual([user('a'), use, answer, first, second]);
    expect([verdict.violations, finish(anthropic.apply({ max_tokens: 1, messages }, edits))]).toEqual([
      [],
      request,
    ]);
    expect(edits).toEqual([
      { op: 'insert', before: 2, message: answer },
      { op: 'drop', index: 4 },
    ]);
  });

  it('changes places over messages that go', () => {
    const system = (content: string) => ({ role: 'system', content });
    const messages = [user(''), { role: 'assistant', content: '' }, system('s'), user(''), system('t')];
    const { edits, request } = finish(repairRequest({ max_tokens: 1, messages }, anthropic, ''));
    expect(request.messages).toHaveLength(2);
    expect(finish(anthropic.apply({ max_tokens: 1, messages }, edits))).toEqual(request);
  });

  it('mends a text in place of the list', () => {
    expect(editsOf({ input: 'half \ud83d' }, FORMATS['openai-responses'])).toEqual([
      { op: 'set', pointer: '/input', value: 'half \ufffd' },
    ]);
  });

  it('says what it cannot mend', () => {
    const system = { role: 'system', content: 's' };
    const lonely = finish(repairRequest({ max_tokens: 1, messages: [system] }, anthropic, ''));
    expect(lonely.edits).toEqual([]);
    expect(lonely.verdict.violations.map(({ code }) => code)).toEqual(['misplaced_system', 'no_messages']);
    const { edits, verdict } = finish(repairRequest({ messages: [] }, chat, ''));
    expect(edits).toEqual([]);
    expect(verdict.violations.map(({ code }) => code)).toEqual(['no_messages']);
  });
});

it('every rule that may be found has its words', () => {
  // Each scan of a format names codes; those that a conversation can break are in the tests of test/legality.
  for (const [name, { rules, scans, provider }] of Object.entries(LEGALITIES)) {
    expect(provider, name).not.toBe('');
    expect(Object.keys(rules).length, name).toBeGreaterThanOrEqual(scans.length);
    for (const rule of Object.values(rules)) {
      expect(rule.source, name).not.toBe('');
      expect(rule.asOf, name).toMatch(/^\d{4}-\d\d$/);
    }
  }
});

it('bytes are those of JSON, with long texts as ranges too', () => {
  const value = { 'é"\n': ['\ud83d', '😀', '\u0001\\', 1.5e300, true, null, {}, []], 中: 'x\t/' };
  expect(finish(jsonBytes(value))).toBe(Buffer.byteLength(JSON.stringify(value)));
});

it('a message of very many parts is checked in steps, and left as it is', () => {
  const calls = Array.from({ length: 150_000 }, (_, i) => ({ ...call('x').tool_calls[0], id: `c${i}` }));
  const messages = [user('a'), { ...call(), tool_calls: calls }, user('b')];
  const { edits, verdict } = finish(repairRequest({ messages }, chat, ''));
  expect([edits, verdict.violationCount]).toEqual([[], 150_000]);
  const parts = Array.from({ length: 64_000 }, () => ({ type: 'text', text: 'a' }));
  const steps = checkLegality({ messages: [{ role: 'user', content: parts }] }, chat, '');
  let count = 0;
  while (!steps.next().done) count += 1;
  expect(count).toBeGreaterThan(3_000);
});

it('100,000 messages are checked and repaired in steps, in time that grows with them', () => {
  const messages = Array.from({ length: 25_000 }, (_, i) => [
    user('question'),
    call(`a${i}`, `b${i}`),
    result(`a${i}`),
    { role: 'assistant', content: 'answer' },
  ]).flat();
  const drive = <Result>(steps: Steps<Result>): { result: Result; count: number; ms: number } => {
    const started = process.cpuUsage().user;
    for (let count = 0; ; count++) {
      const step = steps.next();
      if (step.done) return { result: step.value, count, ms: (process.cpuUsage().user - started) / 1000 };
    }
  };
  const checked = drive(checkLegality({ messages }, chat, ''));
  expect(checked.result.violationCount).toBe(25_000);
  expect(checked.result.violations).toHaveLength(100);
  expect(checked.count).toBeGreaterThan(1_000);
  const repaired = drive(repairRequest({ messages }, chat, ''));
  expect(repaired.result.verdict.violations).toEqual([]);
  expect(repaired.result.edits).toHaveLength(50_000);
  // CPU time, an order of magnitude above what it takes.
  expect(checked.ms).toBeLessThan(3_000);
  expect(repaired.ms).toBeLessThan(10_000);
});
