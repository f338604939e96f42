import { type FitStrategy, STRATEGIES } from '@preflight/core';
import fc from 'fast-check';

/** What a test sends, as plain JSON. */
export type Plain = Record<string, unknown>;

/** Neighbours that tokenizers, cutters and JSON treat specially. */
const SEAMS = [
  ...[' ', '  ', '\n', '\r\n', '\t', '\u00a0', '\u2028', '\ufeff', '\u200b', '\0', '\u007f', '"', '\\', '/'],
  ...[
    'the',
    ' The',
    "'s",
    'é',
    'e\u0301',
    '\u0301',
    '中文',
    'مرحبا',
    'ไทย',
    '12',
    '1234',
    '½',
    '...',
    '!!',
    '{"a":',
  ],
  ...[
    '😀',
    '👨‍👩‍👧',
    '🇩🇪',
    '👍🏽',
    '\ud83d',
    '\udc00',
    '\ufffd',
    '<|endoftext|>',
    '<|im_start|>',
    '\n... [Contents truncated!]',
  ],
];

const seamy = fc.array(fc.constantFrom(...SEAMS), { maxLength: 40 }).map((parts) => parts.join(''));
const longer = fc
  .tuple(
    fc.array(fc.constantFrom(...SEAMS), { minLength: 1, maxLength: 12 }),
    fc.integer({ min: 1, max: 60 }),
  )
  .map(([parts, times]) => parts.join('').repeat(times));
const prose = fc
  .array(fc.constantFrom('harbour ', 'crane, ', 'the ', 'delay. ', 'Déjà ', '42 '), { maxLength: 250 })
  .map((words) => words.join(''));
const run = fc
  .tuple(fc.constantFrom('a', ' ', '=', '中', '😀'), fc.integer({ min: 1, max: 300 }))
  .map(([unit, times]) => unit.repeat(times));

export const texts: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: seamy },
  { weight: 3, arbitrary: longer },
  { weight: 4, arbitrary: prose },
  { weight: 1, arbitrary: run },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.constant('') },
);

const base64 = fc.uint8Array({ maxLength: 120 }).map((bytes) => Buffer.from(bytes).toString('base64'));

const textPart = fc.record({ type: fc.constant('text'), text: texts });
const mediaPart = fc.oneof(
  base64.map((data) => ({
    type: 'image_url',
    image_url: { url: `data:image/png;base64,${data}`, detail: 'low' },
  })),
  fc.webUrl().map((url) => ({ type: 'image_url', image_url: { url } })),
  base64.map((data) => ({
    type: 'file',
    file: { filename: 'ä 1.pdf', file_data: `data:application/pdf;base64,${data}` },
  })),
  base64.map((data) => ({ type: 'input_audio', input_audio: { format: 'wav', data } })),
  texts.map((odd) => ({ type: 'of_tomorrow', value: [odd, 1.5, null, { b: true, a: false }] })),
);
const refusalPart = fc.record({ type: fc.constant('refusal'), refusal: texts });

const arrayContent = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: textPart },
    { weight: 2, arbitrary: mediaPart },
    { weight: 1, arbitrary: refusalPart },
  ),
  { maxLength: 5 },
);

const content = fc.oneof(
  { weight: 6, arbitrary: texts },
  { weight: 3, arbitrary: arrayContent },
  { weight: 1, arbitrary: fc.constant(null) },
);

const file = fc.record(
  {
    filename: fc.constantFrom('a.pdf', 'Übersicht.png', 'quote"\\.csv', 'emoji😀.bin'),
    mime_type: fc.constantFrom('application/pdf', 'image/png', 'text/csv'),
    content_base64: base64,
    url: fc.constantFrom('https://example.org/é?q=1', 'http://a.b/c', 'ftp://gone/x'),
    detail: fc.constantFrom('high', 'low'),
  },
  { requiredKeys: ['filename', 'mime_type'] },
);

const plainMessage = fc.record(
  {
    role: fc.oneof(
      { weight: 4, arbitrary: fc.constant('user') },
      { weight: 3, arbitrary: fc.constant('assistant') },
      { weight: 2, arbitrary: fc.constantFrom('system', 'developer', 'tool', 'function', 'critic', 'User') },
    ),
    content,
    name: texts.filter((text) => text.length < 30),
    refusal: texts,
    unknown_field: fc.constantFrom(null, 1, 'kept', { deep: ['kept'] }),
  },
  { requiredKeys: ['role', 'content'] },
);

/** An assistant's calls and their results, which belong together. */
const toolUnit = fc
  .tuple(fc.array(texts, { minLength: 1, maxLength: 3 }), fc.boolean(), texts)
  .map(([results, isNull, said]): Plain[] => [
    {
      role: 'assistant',
      content: isNull ? null : said,
      tool_calls: results.map((result, i) => ({
        id: `call_${i}`,
        type: 'function',
        function: { name: 'look_up', arguments: JSON.stringify({ q: result.slice(0, 20) }) },
      })),
    },
    ...results.map((result, i) => ({ role: 'tool', tool_call_id: `call_${i}`, content: result })),
  ]);

const functionUnit = texts.map((result): Plain[] => [
  { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{"a": 1}' } },
  { role: 'function', name: 'f', content: result },
]);

function messagesFor(isLangroid: boolean): fc.Arbitrary<Plain[]> {
  const message: fc.Arbitrary<Plain> = isLangroid
    ? fc
        .tuple(
          plainMessage,
          fc.oneof(
            { weight: 3, arbitrary: fc.constant(undefined) },
            { weight: 1, arbitrary: fc.array(file, { maxLength: 2 }) },
          ),
        )
        .map(([plain, files]) => (files ? { ...plain, files } : plain))
    : plainMessage;
  const unit: fc.Arbitrary<Plain[]> = fc.oneof(
    { weight: 6, arbitrary: message.map((one) => [one]) },
    { weight: 2, arbitrary: toolUnit },
    { weight: 1, arbitrary: functionUnit },
  );
  const system = fc.option(
    texts.map((text): Plain => ({ role: 'system', content: text })),
    { nil: undefined },
  );
  const lastUser = fc.option(
    texts.map((text): Plain => ({ role: 'user', content: text })),
    { nil: undefined, freq: 4 },
  );
  return fc
    .tuple(system, fc.array(unit, { maxLength: 7 }), lastUser)
    .map(([first, units, last]) => [...(first ? [first] : []), ...units.flat(), ...(last ? [last] : [])]);
}

const tools = fc.constantFrom<Plain[] | undefined>(
  undefined,
  undefined,
  [],
  [
    {
      type: 'function',
      function: {
        name: 'look_up',
        description: 'Looks up',
        parameters: {
          type: 'object',
          properties: { q: { type: 'string', enum: ['a', 'b'] } },
          required: ['q'],
        },
      },
    },
  ],
);

/** A conversation and the options beside it; the window is chosen once its size is known. */
export interface Case {
  /** Body of `/v1/count`: conversation, format, model, encoding, count. */
  readonly counted: Plain;
  readonly encoding: string;
  readonly isRequestNested: boolean;
  readonly strategy: readonly FitStrategy[];
  readonly max_output_tokens: number;
  readonly min_output_tokens: number;
  readonly buffer_tokens: number;
  readonly size: Size;
}

/** Where the window stands, seen from the sizes at which the answer changes. */
export interface Size {
  readonly at: 'fits' | 'output' | 'fraction';
  readonly offset: number;
  readonly fraction: number;
}

const size: fc.Arbitrary<Size> = fc.record({
  at: fc.constantFrom('fits' as const, 'output' as const, 'fraction' as const, 'fraction' as const),
  offset: fc.integer({ min: -3, max: 3 }),
  // Doubles are drawn by their bits, most of them next to 0.
  fraction: fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000),
});

const options = {
  max_output_tokens: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.constantFrom(1024, 8192)),
  min_output_tokens: fc.constantFrom(0, 1, 64, 200),
  buffer_tokens: fc.constantFrom(0, 300),
  size,
};

export interface CaseShape {
  readonly formats?: readonly ('openai-chat' | 'langroid')[];
  readonly counts?: readonly ('content' | 'request')[];
  readonly strategies?: readonly FitStrategy[];
}

export function cases({
  formats = ['openai-chat', 'langroid'],
  counts = ['content', 'request'],
  strategies = Object.keys(STRATEGIES) as FitStrategy[],
}: CaseShape = {}): fc.Arbitrary<Case> {
  return fc.constantFrom(...formats).chain((format) =>
    fc
      .record({
        ...options,
        strategy: fc.shuffledSubarray([...strategies], { minLength: 1 }),
        messages: messagesFor(format === 'langroid'),
        tools,
        count: fc.constantFrom(...counts),
        encoding: fc.constantFrom('o200k_base', 'o200k_base', 'cl100k_base', 'gpt2'),
        model: fc.constantFrom(undefined, 'gpt-4o', 'gpt-4', 'gpt-5', 'gemini-2.5-pro', 'own-model'),
        isRequestNested: fc.boolean(),
      })
      .map(({ messages, tools, count, encoding, model, isRequestNested, ...rest }) => {
        const request = { messages, ...(tools ? { tools } : {}) };
        const counted = {
          format,
          count,
          encoding,
          ...(model ? { model } : {}),
          ...(isRequestNested ? { request } : request),
        };
        return { counted, encoding, isRequestNested, ...rest };
      }),
  );
}

/** The request that a body carries, flat or nested. */
export function requestOf(body: Plain): Plain & { messages: Plain[] } {
  const source = (body.request ?? body) as Plain;
  const { messages, tools } = source as { messages: Plain[]; tools?: unknown };
  return { messages, ...(tools ? { tools } : {}) };
}
