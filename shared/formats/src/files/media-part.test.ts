import { finish, type Json, type JsonObject, type MediaPart, TextRange } from '@preflight/core';
import { describe, expect, test } from 'vitest';
import { FORMATS, type FormatName } from '../index.js';

const PNG = 'iVBORw0KGgo=';
const URI = `data:image/png;base64,${PNG}`;
const PDF = 'JVBERi0=';
const PDF_URI = `data:application/pdf;base64,${PDF}`;

/** Media of all attachments in a request. */
function mediaIn(format: FormatName, request: JsonObject): (MediaPart | undefined)[] {
  const parsed = finish(FORMATS[format].parse(request));
  if ('issues' in parsed) return expect.fail(JSON.stringify(parsed.issues));
  return parsed.conversation.messages.flatMap(({ attachments }) => attachments.map(({ media }) => media));
}

const user = (...content: Json[]): JsonObject => ({ messages: [{ role: 'user', content }] });

type Rows = readonly (readonly [part: JsonObject, media: MediaPart | undefined])[];

const CHAT: Rows = [
  [
    { type: 'image_url', image_url: { url: URI, detail: 'low' } },
    { kind: 'image', data: URI, detail: 'low' },
  ],
  [
    { type: 'image_url', image_url: { url: 'https://x/y.png' } },
    { kind: 'image', reference: 'https://x/y.png' },
  ],
  [{ type: 'file', file: { filename: 'a.pdf', file_data: PDF_URI } }, { data: PDF_URI }],
  [
    { type: 'file', file: { file_id: 'f1' } },
    { kind: 'pdf', reference: 'f1' },
  ],
  [
    { type: 'input_audio', input_audio: { data: 'SUQz', format: 'mp3' } },
    { kind: 'audio', mimeType: 'audio/mpeg', data: 'SUQz' },
  ],
  [
    { type: 'video_url', video_url: { url: 'https://x' } },
    { kind: 'video', reference: 'https://x' },
  ],
  [{ type: 'new' }, undefined],
];

const RESPONSES: Rows = [
  [
    { type: 'input_image', image_url: URI, detail: 'high' },
    { kind: 'image', data: URI, detail: 'high' },
  ],
  [
    { type: 'input_image', file_id: 'f1' },
    { kind: 'image', reference: 'f1' },
  ],
  [
    { type: 'input_file', file_data: PDF_URI, detail: 'low' },
    { data: PDF_URI, detail: 'low' },
  ],
  [
    { type: 'input_file', file_url: 'https://x/a.pdf' },
    { kind: 'pdf', reference: 'https://x/a.pdf' },
  ],
];

const CLAUDE: Rows = [
  [
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
    { kind: 'image', mimeType: 'image/png', data: PNG },
  ],
  [
    {
      type: 'image',
      source: { type: 'url', url: 'https://x' },
      transformations: { oversized_image: 'error' },
    },
    { kind: 'image', detail: 'error', reference: 'https://x' },
  ],
  [
    { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PDF }, title: 't' },
    { mimeType: 'application/pdf', texts: ['t'], data: PDF },
  ],
  [
    { type: 'document', source: { type: 'file', file_id: 'f1' } },
    { kind: 'pdf', reference: 'f1' },
  ],
  [
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'words' }, context: 'c' },
    { kind: 'text', mimeType: 'text/plain', texts: ['c', 'words'] },
  ],
  [
    { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'a' }] } },
    { kind: 'text', texts: ['a'] },
  ],
  [
    {
      type: 'document',
      source: { type: 'content', content: [{ type: 'image', source: {} }] },
    },
    undefined,
  ],
  [
    { type: 'search_result', title: 't', source: 's', content: [{ type: 'text', text: 'a' }] },
    { kind: 'text', texts: ['t', 's', 'a'] },
  ],
];

const CONVERSE: Rows = [
  [{ image: { format: 'png', source: { bytes: PNG } } }, { kind: 'image', mimeType: 'image/png', data: PNG }],
  [
    { image: { format: 'jpeg', source: { s3Location: { uri: 's3://b' } } } },
    { kind: 'image', mimeType: 'image/jpeg', reference: 's3://b' },
  ],
  [
    { document: { format: 'pdf', name: 'n', source: { bytes: PDF }, citations: { enabled: true } } },
    { mimeType: 'application/pdf', detail: 'citations', data: PDF },
  ],
  [
    { document: { format: 'txt', name: 'n', source: { text: 'words' } } },
    { kind: 'text', mimeType: 'text/plain', texts: ['words'] },
  ],
  [
    { video: { format: 'mp4', source: { bytes: 'AAAA' } } },
    { kind: 'video', mimeType: 'video/mp4', data: 'AAAA' },
  ],
];

const AI_SDK: Rows = [
  [
    {
      type: 'image',
      image: PNG,
      mediaType: 'image/png',
      providerOptions: { openai: { imageDetail: 'low' } },
    },
    { kind: 'image', mimeType: 'image/png', data: PNG, detail: 'low' },
  ],
  [
    { type: 'image', image: 'https://x/y.png' },
    { kind: 'image', reference: 'https://x/y.png' },
  ],
  [
    { type: 'file', data: PDF, mediaType: 'application/pdf' },
    { kind: 'pdf', mimeType: 'application/pdf', data: PDF },
  ],
  [
    { type: 'file', data: { type: 'data', data: PDF }, mediaType: 'application/pdf' },
    { kind: 'pdf', mimeType: 'application/pdf', data: PDF },
  ],
  [
    { type: 'file', data: { type: 'text', text: 'words' }, mediaType: 'text/plain' },
    { kind: 'text', mimeType: 'text/plain', texts: ['words'] },
  ],
];

const LANGCHAIN: Rows = [
  [
    { type: 'image', mimeType: 'image/png', data: PNG },
    { kind: 'image', mimeType: 'image/png', data: PNG },
  ],
  [
    { type: 'image', mime_type: 'image/png', base64: PNG },
    { kind: 'image', mimeType: 'image/png', data: PNG },
  ],
  [
    { type: 'file', mimeType: 'application/pdf', data: PDF },
    { mimeType: 'application/pdf', data: PDF },
  ],
  [
    { type: 'audio', url: 'https://x' },
    { kind: 'audio', reference: 'https://x' },
  ],
  ...CHAT.slice(0, 3),
  ...CLAUDE.slice(0, 3),
];

describe.each<[FormatName, Rows]>([
  ['openai-chat', CHAT],
  ['anthropic-messages', CLAUDE],
  ['bedrock-converse', CONVERSE],
  ['ai-sdk', AI_SDK],
  ['langchain', LANGCHAIN],
])('%s', (format, rows) => {
  test.each(rows.map(([part, media]) => [JSON.stringify(part), part, media] as const))(
    '%s',
    (_, part, media) => {
      expect(mediaIn(format, user(part))).toEqual([media]);
    },
  );
});

describe('openai-responses', () => {
  test.each(RESPONSES.map(([part, media]) => [JSON.stringify(part), part, media] as const))(
    '%s, also in the output of a call',
    (_, part, media) => {
      const input = [
        { role: 'user', content: [part] },
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: [part] },
      ];
      expect(mediaIn('openai-responses', { input })).toEqual([media, media]);
    },
  );
});

describe('gemini', () => {
  test('parts, those of answers too, in both spellings, with the resolution of the part or of the request', () => {
    const level = { level: 'MEDIA_RESOLUTION_HIGH' };
    const request = {
      generationConfig: { mediaResolution: 'MEDIA_RESOLUTION_LOW' },
      contents: [
        {
          role: 'user',
          parts: [
            { inlineData: { mimeType: 'image/png', data: PNG }, mediaResolution: level },
            { file_data: { file_uri: 'u', mime_type: 'video/mp4' } },
            {
              functionResponse: {
                name: 'f',
                response: {},
                parts: [{ inlineData: { mimeType: 'image/png', data: PNG } }],
              },
            },
          ],
        },
      ],
    };
    expect(mediaIn('gemini', request)).toEqual([
      { kind: 'image', mimeType: 'image/png', data: PNG, detail: 'MEDIA_RESOLUTION_HIGH' },
      { kind: 'video', mimeType: 'video/mp4', detail: 'MEDIA_RESOLUTION_LOW', reference: 'u' },
      { kind: 'image', mimeType: 'image/png', data: PNG, detail: 'MEDIA_RESOLUTION_LOW' },
    ]);
  });
});

describe('langroid', () => {
  test.each([
    [
      { content_base64: PNG, mime_type: 'image/png' },
      { kind: 'image', mimeType: 'image/png', data: PNG },
    ],
    [
      { content_base64: PNG, mime_type: 'image/png', url: 'https://x/y.png' },
      { kind: 'image', mimeType: 'image/png', reference: 'https://x/y.png' },
    ],
    [
      { url: 'https://x/a.pdf', detail: 'low' },
      { detail: 'low', reference: 'https://x/a.pdf' },
    ],
  ] satisfies Rows)('%j', (file, media) => {
    const messages = [{ role: 'user', content: 'see', files: [file] }];
    expect(mediaIn('langroid', { messages })).toEqual([media]);
  });
});

describe('anywhere', () => {
  test('a tool result of Claude or Converse may hold a file', () => {
    const [[image, media]] = CLAUDE as [Rows[number]];
    const result = { type: 'tool_result', tool_use_id: 't', content: [image] };
    expect(mediaIn('anthropic-messages', user(result))).toEqual([media]);
    const [[picture, ofPicture]] = CONVERSE as [Rows[number]];
    const toolResult = { toolUseId: 't', content: [picture] };
    expect(mediaIn('bedrock-converse', user({ toolResult }))).toEqual([ofPicture]);
  });

  test('base64 in a text or in a string of a tool is text', () => {
    const messages = [
      { role: 'user', content: URI },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: URI },
    ];
    expect(mediaIn('openai-chat', { messages })).toEqual([]);
    expect(
      mediaIn('anthropic-messages', user({ type: 'tool_result', tool_use_id: 't', content: URI })),
    ).toEqual([]);
  });

  test('a long file stands in a range, and so may a URL', () => {
    const range = (text: string) => {
      const bytes = Buffer.from(text);
      const buffer = new SharedArrayBuffer(bytes.length);
      new Uint8Array(buffer).set(bytes);
      return new TextRange(buffer, 0, bytes.length);
    };
    const file = range(`data:image/png;base64,${'A'.repeat(1000)}`);
    const url = range(`https://x/${'y'.repeat(1000)}`);
    const parts = [file, url].map((text) => ({ type: 'image_url', image_url: { url: text } }));
    expect(mediaIn('openai-chat', user(...parts))).toEqual([
      { kind: 'image', data: file },
      { kind: 'image', reference: url },
    ]);
  });

  test('a file that came apart', () => {
    const digest = { digest: `sha256:${'a'.repeat(64)}`, bytes: 9, mime_type: 'image/png' };
    const [media] = mediaIn('openai-chat', user({ type: 'image_url', image_url: { url: digest } }));
    expect(media).toMatchObject({
      kind: 'image',
      data: { blob: { byteLength: 9 }, before: 'data:image/png;base64,' },
    });
  });
});
