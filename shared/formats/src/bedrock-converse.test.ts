import { type Conversation, finish, type Json, type JsonObject, MARK } from '@preflight/core';
import { describe, expect, it } from 'vitest';
import { detectFormat, FORMATS, type Format } from './index.js';
import { cut, decide } from './testing/decide.js';

const format: Format = FORMATS['bedrock-converse'];

function parse(request: JsonObject, model?: string): Conversation {
  const result = finish(format.parse(request, model));
  if ('issues' in result) throw new Error(JSON.stringify(result.issues));
  return result.conversation;
}

const text = (value: string) => ({ text: value });
const use = (id: string) => ({ toolUse: { toolUseId: id, name: 'look', input: { q: id } } });
const result = (id: string, content: Json, status = 'success') => ({
  toolResult: { toolUseId: id, status, content },
});
const reasoning = (value: string) => ({
  reasoningContent: { reasoningText: { text: value, signature: 'signed' } },
});
const image = { image: { format: 'png', source: { bytes: 'AAAA' } } };
const far = { image: { format: 'png', source: { s3Location: { uri: 's3://bucket/a.png' } } } };
const document = { document: { format: 'pdf', name: 'neutral', source: { bytes: 'AAAA' } } };
const cachePoint = { cachePoint: { type: 'default' } };
const user = (...content: Json[]) => ({ role: 'user', content });
const assistant = (...content: Json[]) => ({ role: 'assistant', content });

it('counts text, results behind it, media wherever it stands, calls, and blocks of unknown kinds', () => {
  const guard = { guardContent: { text: { text: 'a' } } };
  const request = {
    system: [text('be brief'), cachePoint],
    toolConfig: { tools: [{ toolSpec: { name: 'look' } }, cachePoint], toolChoice: { auto: {} } },
    outputConfig: { textFormat: { type: 'json_schema' } },
    messages: [
      user(
        result('1', [text('found'), { json: { a: 1 } }, image]),
        text('and now?'),
        document,
        far,
        cachePoint,
      ),
      assistant(reasoning('hm'), text('so'), use('2'), guard),
      user(result('2', [])),
    ],
  };
  expect(parse(request)).toEqual({
    instructions: ['be brief'],
    protectedCount: 0,
    rolesAlternate: true,
    startsWithUser: true,
    tools: [{ toolSpec: { name: 'look' } }],
    toolChoice: { auto: {} },
    schemas: [{ type: 'json_schema' }],
    messages: [
      {
        role: 'user',
        texts: ['and now?', 'found'],
        resultTextsFrom: 1,
        attachments: [image, document, far].map((part) => expect.objectContaining({ kind: 'part', part })),
        otherParts: [{ json: { a: 1 } }],
        results: ['1'],
      },
      {
        role: 'assistant',
        texts: ['so'],
        attachments: [],
        toolCalls: [{ function: { name: 'look', arguments: { q: '2' } } }],
        otherParts: [guard],
        calls: ['2'],
        reasoning: ['hm'],
      },
      { role: 'user', texts: [], attachments: [], results: ['2'], startsTurn: false },
    ],
  });
  expect(format.maxOutput?.({ inferenceConfig: { maxTokens: 5 } })).toBe(5);
});

it('has files by digest, in messages and in results', () => {
  const bytes = { digest: `sha256:${'a'.repeat(64)}`, bytes: 3 };
  const byDigest = { image: { format: 'png', source: { bytes } } };
  const request = { messages: [user(byDigest, far, result('1', [byDigest]))] };
  expect(parse(request).messages[0]?.attachments).toHaveLength(3);
  const seen: Json[] = [];
  format.replaceFiles(request, (value) => {
    seen.push(value);
    return value;
  });
  expect(seen).toEqual([bytes, bytes]);
});

it('a cut keeps the text that a document needs beside it, and results that it empties', () => {
  const request = {
    messages: [user(result('1', [text('a long result')], 'error'), text('the question'), document)],
  };
  const after = (textIndex: number) => {
    const decision = decide(1, [cut(0, textIndex, 3)], []);
    const edits = finish(format.edits(request, parse(request), decision));
    return (finish(format.apply(request, edits)).messages as JsonObject[])[0]?.content;
  };
  expect(after(1)).toEqual([result('1', [text(`a l${MARK}`)], 'error'), text('the question'), document]);
  expect(after(0)).toEqual([{ toolResult: { toolUseId: '1', content: [] } }, text(`the${MARK}`), document]);
});

it('bound thinking goes, or is left to the provider to drop', () => {
  const request = {
    messages: [
      user(text('first')),
      assistant(reasoning('one'), text('answer')),
      user(text('second')),
      assistant(reasoning('two'), use('1')),
      user(result('1', [text('found')])),
    ],
  };
  const conversation = parse(request, 'anthropic.claude-fable-5-1-v1:0');
  const edits = finish(format.edits(request, conversation, decide(5, [cut(0, 0, 2)], [])));
  expect(edits.slice(1)).toEqual([
    { op: 'replace_content', index: 1, content: [text('answer')] },
    {
      op: 'set',
      pointer: '/additionalModelRequestFields/thinking/block_binding/prefix_mismatch_behavior',
      value: 'drop_block',
    },
  ]);
  expect(format.warnings?.(edits)).toHaveLength(1);
});

describe('a request', () => {
  it.each<JsonObject>([
    { messages: [user(text('a'))] },
    { messages: [], modelId: 'm' },
    { messages: [], toolConfig: {} },
    { messages: [], system: [text('a')] },
  ])('is told from its shape: %j', (request) => {
    expect(detectFormat(request).name).toBe('bedrock-converse');
  });

  it('that is wrong says where', () => {
    const messages = [
      5,
      { role: 1, content: 'a' },
      user('a', { text: 1 }, result('1', 'a'), result('1', [{ text: 1 }, null])),
    ];
    const parsed = finish(format.parse({ messages, system: 'a', toolConfig: { tools: 1 } }));
    expect('issues' in parsed && parsed.issues.map(({ pointer }) => pointer)).toEqual([
      '/messages/0',
      '/messages/1/role',
      '/messages/1/content',
      '/messages/2/content/0',
      '/messages/2/content/1/text',
      '/messages/2/content/2/toolResult/content',
      '/messages/2/content/3/toolResult/content/0/text',
      '/messages/2/content/3/toolResult/content/1',
      '/system',
      '/toolConfig/tools',
    ]);
  });
});
