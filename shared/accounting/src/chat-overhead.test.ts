import {
  type Conversation,
  finish,
  type Json,
  type JsonObject,
  type Message,
  type Steps,
  TextRange,
} from '@preflight/core';
import { describe, expect, it } from 'vitest';
import { messageOverhead, OVERHEAD_RULES, type Overhead, overheadRuleFor, requestOverhead } from './index.js';

const DECLARATION = overheadRuleFor('gpt-4');
const PER_FIELD = overheadRuleFor('gpt-4o');

/** All kinds as one sum. */
function merged(steps: Steps<Overhead[]>): Omit<Overhead, 'kind'> {
  const overheads = finish(steps);
  return {
    countables: overheads.flatMap(({ countables }) => countables),
    subtracted: overheads.flatMap(({ subtracted }) => subtracted),
    constantTokens: overheads.reduce((sum, { constantTokens }) => sum + constantTokens, 0),
  };
}

function message(fields: Partial<Message>): Message {
  return { role: 'assistant', texts: [], attachments: [], ...fields };
}

function conversation(tools: readonly Json[], fields: Partial<Conversation> = {}): Conversation {
  return { messages: [], protectedCount: 0, tools, ...fields };
}

describe('overheadRuleFor', () => {
  it.each([
    ['gpt-3.5', 'declaration', 'formula'],
    ['gpt-4', 'declaration', 'formula'],
    ['gpt-4o', 'per-field', 'formula'],
    ['gpt-4.1', 'per-field', 'formula'],
    ['gpt-5', 'estimate', 'estimate'],
    ['claude', 'claude', 'estimate'],
    ['gemini', 'gemini', 'estimate'],
    ['llama', 'estimate', 'estimate'],
    [undefined, 'estimate', 'estimate'],
  ])('%s follows %s', (family, id, basis) => {
    expect(overheadRuleFor(family)).toMatchObject({ id, basis });
  });

  it('has room where it estimates', () => {
    expect(
      OVERHEAD_RULES.filter(({ basis, margin }) => (basis === 'estimate') !== margin.tokens > 0),
    ).toEqual([]);
    expect(overheadRuleFor('gpt-6').toolSchemas.margin).toEqual({ fraction: 0.15, tokens: 20 });
  });
});

describe('rule json', () => {
  const tool = { name: 'f', input_schema: { type: 'object' } };

  it.each<[string, Json | undefined, number]>([
    ['claude-opus-4-8', undefined, 290],
    ['claude-opus-4-8', { type: 'auto' }, 290],
    ['claude-opus-4-8', { type: 'none' }, 290],
    ['claude-opus-4-8', { type: 'tool', name: 'f' }, 410],
    ['claude-sonnet-4-5', { type: 'any' }, 588],
    ['anthropic.claude-sonnet-4-20250514-v1:0', { any: {} }, 315],
    ['claude-opus-4.1', { tool: { name: 'f' } }, 315],
    ['claude-sonnet-4-6', 'required', 589],
    ['claude-sonnet-5', { type: 'function', function: { name: 'f' } }, 474],
    ['claude-sonnet-5-5', undefined, 497],
    ['claude-haiku-5-5', undefined, 496],
    ['claude-fable-5-1', undefined, 675],
  ])('of %s with choice %j', (model, toolChoice, instructionTokens) => {
    const rule = overheadRuleFor(model.startsWith('claude') ? 'claude' : undefined, model);
    const given = conversation([tool], toolChoice === undefined ? {} : { toolChoice });
    expect(merged(requestOverhead(given, rule))).toEqual({
      countables: [['{"input_schema":{"type":"object"},"name":"f"}']],
      subtracted: [],
      constantTokens: 3 + instructionTokens,
    });
  });

  it('says nothing of tools where there are none', () => {
    expect(merged(requestOverhead(conversation([]), overheadRuleFor('claude')))).toMatchObject({
      constantTokens: 3,
    });
  });
});

it('tools of any provider are read as functions', () => {
  const parameters = { type: 'object', properties: { q: { type: 'string' } } };
  const [ofChat, ...others] = [
    { type: 'function', function: { name: 'f', description: 'd', parameters } },
    { name: 'f', description: 'd', input_schema: parameters },
    { toolSpec: { name: 'f', description: 'd', inputSchema: { json: parameters } } },
  ].map((tool) => merged(requestOverhead(conversation([tool]), PER_FIELD)));
  for (const other of others) expect(other).toEqual(ofChat);
});

it('overhead is told by kind', () => {
  const kindsOf = (overheads: readonly Overhead[]) => overheads.map(({ kind }) => kind);
  const full = message({
    name: 'n',
    toolCalls: [{}],
    reasoning: ['hm'],
    otherTexts: ['no'],
    otherParts: [{ type: 'new' }],
  });
  expect(kindsOf(finish(messageOverhead(full, PER_FIELD)))).toEqual([
    'formatting',
    'name',
    'tool_calls',
    'reasoning',
    'other',
    'other',
  ]);
  const request = conversation([{ name: 'f' }], { schemas: [{}], instructions: ['be brief'] });
  const [formatting, ...others] = finish(requestOverhead(request, PER_FIELD));
  expect([formatting?.constantTokens, ...kindsOf(others)]).toEqual([7, 'schemas', 'tools']);
});

describe('messageOverhead', () => {
  it.each<[string, Partial<Message>, Json[][], number]>([
    ['a role', {}, [['assistant']], 3],
    ['a name', { role: 'user', name: 'n' }, [['user'], ['n']], 4],
    ['the role function', { role: 'function', name: 'n' }, [['function'], ['n']], 2],
    ['a function call', { functionCall: { name: 'f', arguments: '{}' } }, [['assistant'], ['f'], ['{}']], 6],
    [
      'tool calls',
      { toolCalls: [{ function: { name: 'f', arguments: '{}' } }, { custom: { name: 'g', input: 'x' } }] },
      [['assistant'], ['f'], ['{}'], ['g'], ['x']],
      9,
    ],
    [
      'arguments as an object',
      { toolCalls: [{ function: { name: 'f', arguments: { b: 1, a: 2 } } }] },
      [['assistant'], ['f'], ['{"a":2,"b":1}']],
      6,
    ],
    ['no arguments', { functionCall: { name: 'f', arguments: null } }, [['assistant'], ['f']], 6],
    ['an unknown call', { toolCalls: [{ type: 'x' }] }, [['assistant'], ['{"type":"x"}']], 6],
    ['a refusal', { otherTexts: ['no'] }, [['assistant'], ['no']], 3],
  ])('%s', (_, fields, countables, constantTokens) => {
    expect(merged(messageOverhead(message(fields), DECLARATION))).toEqual({
      countables,
      subtracted: [],
      constantTokens,
    });
  });
});

const NESTED = {
  name: 'find',
  description: 'Finds things.',
  parameters: {
    type: 'object',
    required: ['kind', 'where'],
    properties: {
      kind: { type: 'string', enum: ['a', 'b'], description: 'Kind of it.' },
      level: { enum: [1, 2], type: 'integer' },
      where: {
        type: 'object',
        properties: {
          x: { type: 'number', description: 'Degrees' },
          tags: { type: 'array', items: { type: 'string' } },
        },
        required: ['x'],
      },
      rest: { anyOf: [] },
    },
  },
};

describe('declaration rule', () => {
  it('renders schemas as TypeScript', () => {
    const { countables } = merged(
      requestOverhead(conversation([{ type: 'function', function: NESTED }, { name: 'ping' }]), DECLARATION),
    );
    expect(countables).toEqual([
      [
        [
          'namespace functions {',
          '',
          '// Finds things.',
          'type find = (_: {',
          '// Kind of it.',
          'kind: "a" | "b",',
          'level?: 1 | 2,',
          'where: {',
          '  // Degrees',
          '  x: number,',
          '  tags?: string[],',
          '},',
          'rest?: any,',
          '}) => any;',
          '',
          'type ping = () => any;',
          '',
          '} // namespace functions',
        ].join('\n'),
      ],
    ]);
  });

  it('adds other schemas as the text that they are', () => {
    const schemas = [{ name: 'x', schema: { type: 'object' } }];
    const [written] = merged(requestOverhead(conversation([], { schemas }), PER_FIELD)).countables;
    expect(written).toEqual(['{"name":"x","schema":{"type":"object"}}']);
    const beside = merged(requestOverhead(conversation([{ name: 'f' }], { schemas }), PER_FIELD));
    expect(beside.countables).toEqual(expect.arrayContaining([written]));
  });

  it('leaves a system message alone that a strategy may change', () => {
    const messages = [message({ role: 'user', texts: ['u'] }), message({ role: 'system', texts: ['s:'] })];
    const late = conversation([{ name: 'f' }], { messages, protectedCount: 0 });
    expect(merged(requestOverhead(late, DECLARATION))).toMatchObject({
      subtracted: [],
      constantTokens: 3 + 9,
    });
  });

  it('joins the system message, which gets a newline', () => {
    const messages = [
      message({ role: 'system', texts: ['a', 's:'] }),
      message({ role: 'user', texts: ['u'] }),
    ];
    const joined = conversation([{ name: 'f' }], { messages, protectedCount: 1 });
    expect(merged(requestOverhead(joined, DECLARATION))).toMatchObject({
      countables: [expect.any(Array), ['s:\n']],
      subtracted: [['s:']],
      constantTokens: 3 + 9 - 4,
    });
  });

  it.each<[Json, Json[][], number]>([
    ['auto', [], 0],
    ['required', [], 0],
    ['none', [], 1],
    [{ name: 'f' }, [['f']], 4],
    [{ type: 'function', function: { name: 'f' } }, [['f']], 7],
  ])('choice %j', (toolChoice, countables, tokens) => {
    const overhead = merged(requestOverhead(conversation([{ name: 'f' }], { toolChoice }), DECLARATION));
    expect(overhead.countables.slice(1)).toEqual(countables);
    expect(overhead.constantTokens).toBe(3 + 9 + tokens);
  });

  it('keeps long descriptions as pieces', () => {
    const description = new TextRange(new SharedArrayBuffer(8), 0, 8);
    expect(
      merged(requestOverhead(conversation([{ name: 'f', description }]), DECLARATION)).countables,
    ).toEqual([
      ['namespace functions {\n\n// ', description, '\ntype f = () => any;\n\n} // namespace functions'],
    ]);
  });
});

describe('per-field rule', () => {
  it('counts fields, nested ones too', () => {
    expect(merged(requestOverhead(conversation([NESTED]), PER_FIELD))).toEqual({
      countables: [
        ['find:Finds things'],
        ['kind:string:Kind of it'],
        ['a'],
        ['b'],
        ['level:integer:'],
        ['1'],
        ['2'],
        ['where:object:'],
        ['x:number:Degrees'],
        ['tags:array:'],
        ['rest:any:'],
      ],
      subtracted: [],
      // Priming, end, function, two objects with properties, six properties, two enums of two items.
      constantTokens: 3 + 12 + 7 + 2 * 3 + 6 * 3 + 2 * (-3 + 2 * 3),
    });
  });

  it('drops the last full stop of long descriptions as well', () => {
    const bytes = new SharedArrayBuffer(3);
    new Uint8Array(bytes).set(Buffer.from('ab.'));
    expect(
      merged(
        requestOverhead(conversation([{ name: 'f', description: new TextRange(bytes, 0, 3) }]), PER_FIELD),
      ).countables,
    ).toEqual([['f:', new TextRange(bytes, 0, 2)]]);
  });

  it.each<[JsonObject, string]>([
    [{ type: 'web_search' }, '{"type":"web_search"}'],
    [{ type: 'bash_20250124', name: 'bash' }, '{"name":"bash","type":"bash_20250124"}'],
    [
      { type: 'custom', name: 'f', format: { type: 'grammar', definition: 'start: "a"' } },
      '{"format":{"definition":"start: \\"a\\"","type":"grammar"},"name":"f","type":"custom"}',
    ],
  ])('counts tools that are no functions as text: %j', (tool, text) => {
    expect(merged(requestOverhead(conversation([tool]), PER_FIELD))).toEqual({
      countables: [[text]],
      subtracted: [],
      constantTokens: 3,
    });
  });
});

it('without tools there is only the start of the reply', () => {
  expect(merged(requestOverhead(conversation([], { toolChoice: 'none' }), DECLARATION))).toEqual({
    countables: [],
    subtracted: [],
    constantTokens: 3,
  });
});

describe('much is done in steps', () => {
  const stepsOf = (steps: Steps<unknown>) => {
    let count = 0;
    while (!steps.next().done) count += 1;
    return count;
  };
  const properties = Object.fromEntries(
    Array.from({ length: 9000 }, (_, i) => [`p${i}`, { type: 'string', description: `property ${i}` }]),
  );
  const many: [string, Json[]][] = [
    ['tools', Array.from({ length: 9000 }, (_, i) => ({ name: `f${i}`, description: 'a function' }))],
    ['built-in tools', Array.from({ length: 9000 }, () => ({ type: 'web_search' }))],
    ['properties', [{ name: 'f', parameters: { type: 'object', properties } }]],
    ['values', [{ name: 'f', parameters: { properties: { a: { enum: Array(9000).fill('value') } } } }]],
    [
      'required names',
      [{ name: 'f', parameters: { properties: { a: {} }, required: Array(9000).fill('a') } }],
    ],
  ];

  it.each(many)('%s', (name, tools) => {
    expect(stepsOf(requestOverhead(conversation(tools), DECLARATION))).toBeGreaterThanOrEqual(4);
    if (name !== 'required names')
      expect(stepsOf(requestOverhead(conversation(tools), PER_FIELD))).toBeGreaterThanOrEqual(30);
  });

  it('calls of a message', () => {
    const toolCalls = Array(9000).fill({ function: { name: 'f', arguments: '{}' } });
    expect(stepsOf(messageOverhead(message({ toolCalls }), PER_FIELD))).toBeGreaterThanOrEqual(100);
  });
});
