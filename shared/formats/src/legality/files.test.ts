import { finish, type Json, type JsonObject } from '@preflight/core';
import { describe, expect, it } from 'vitest';
import { FORMATS, type FormatName } from '../index.js';
import { checkLegality, repairRequest } from './index.js';

/** A request with a text and a file in each format: an image or a PDF, as `stated` says. */
const REQUESTS: Readonly<
  Record<FormatName, (data: string, stated: 'image/png' | 'application/pdf') => JsonObject>
> = {
  'openai-chat': (data, stated) => ({
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          stated === 'image/png'
            ? { type: 'image_url', image_url: { url: uri(data, stated) } }
            : { type: 'file', file: { file_data: uri(data, stated) } },
        ],
      },
    ],
  }),
  'openai-responses': (data, stated) => ({
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'a' },
          stated === 'image/png'
            ? { type: 'input_image', image_url: uri(data, stated) }
            : { type: 'input_file', file_data: uri(data, stated) },
        ],
      },
    ],
  }),
  'anthropic-messages': (data, media_type) => ({
    max_tokens: 9,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          {
            type: media_type === 'image/png' ? 'image' : 'document',
            source: { type: 'base64', media_type, data },
          },
        ],
      },
    ],
  }),
  gemini: (data, mimeType) => ({
    contents: [{ role: 'user', parts: [{ text: 'a' }, { inlineData: { mimeType, data } }] }],
  }),
  'bedrock-converse': (bytes, stated) => ({
    messages: [
      {
        role: 'user',
        content: [
          { text: 'a' },
          stated === 'image/png'
            ? { image: { format: 'png', source: { bytes } } }
            : { document: { format: 'pdf', name: 'n', source: { bytes } } },
        ],
      },
    ],
  }),
  'ai-sdk': (data, mediaType) => ({
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'file', mediaType, data },
        ],
      },
    ],
  }),
  langchain: (data, mimeType) => ({
    messages: [
      {
        type: 'human',
        content: [
          { type: 'text', text: 'a' },
          { type: mimeType === 'image/png' ? 'image' : 'file', mimeType, data },
        ],
      },
    ],
  }),
  langroid: (content_base64, mime_type) => ({
    messages: [{ role: 'user', content: 'a', files: [{ content_base64, mime_type, filename: 'f' }] }],
  }),
};

const uri = (data: string, stated: string) => `data:${stated};base64,${data}`;
const base64 = (bytes: string) => Buffer.from(bytes, 'latin1').toString('base64');
const PNG = base64(`\x89PNG\r\n\x1a\n${'x'.repeat(40)}`);
const JPEG = base64(`\xff\xd8\xff${'x'.repeat(40)}`);
const PDF = base64(`%PDF-1.7\n${'x'.repeat(40)}`);
const LONG = base64(`\x89PNG\r\n\x1a\n${'x'.repeat(9000)}`);

const checked = (name: FormatName, request: JsonObject) =>
  finish(checkLegality(request, FORMATS[name], undefined)).violations.map(({ code }) => code);

describe.each(Object.keys(REQUESTS) as FormatName[])('a file in %s', (name) => {
  const request = REQUESTS[name];
  const codes = (data: string, stated: 'image/png' | 'application/pdf' = 'image/png') =>
    checked(name, request(data, stated));

  it('is taken as what it is, however it is written', () => {
    for (const data of [PNG, LONG, PNG.replace(/=+$/, ''), PNG.replaceAll('+', '-').replaceAll('/', '_')])
      expect(codes(data)).toEqual([]);
    expect(codes(PDF, 'application/pdf')).toEqual([]);
    // Nobody knows what it is.
    expect(codes(base64('hello'))).toEqual([]);
  });

  it.each([
    ['nothing', '', 'empty_attachment'],
    ['padding alone', '====', 'empty_attachment'],
    ['no base64', '!!!!', 'invalid_base64'],
    ['a letter that stands for nothing', 'AAAAA', 'invalid_base64'],
    ['no base64 at its end', `${LONG.slice(0, -8)}<b>AAAA`, 'invalid_base64'],
    ['no base64 behind a good start', `${PNG}*`, 'invalid_base64'],
    ['a PDF', PDF, 'other_media_kind'],
  ])('that should be an image and is %s is refused, and left out by a repair', (_, data, code) => {
    const given = request(data, 'image/png');
    expect(checked(name, given)).toEqual([code]);
    const { request: repaired, verdict } = finish(repairRequest(given, FORMATS[name], undefined));
    expect(verdict.isLegal).toBe(true);
    expect(JSON.stringify(repaired)).toContain('"a"');
    if (data !== '') expect(JSON.stringify(repaired)).not.toContain(data);
  });

  it('that should be a PDF and is an image is refused', () => {
    expect(codes(PNG, 'application/pdf')).toEqual(['other_media_kind']);
  });

  it('that is another image than it says is refused by who compares', () => {
    expect(codes(JPEG)).toEqual(name === 'anthropic-messages' ? ['other_image_type'] : []);
  });
});

it('a file in a result is told, and not left out', () => {
  const image = (data: string): Json => ({
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data },
  });
  const request = {
    max_tokens: 9,
    messages: [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: [image('!!!!')] }] },
    ],
  };
  const { edits, verdict } = finish(repairRequest(request, FORMATS['anthropic-messages'], undefined));
  expect(edits).toEqual([]);
  expect(verdict.violations).toMatchObject([
    { code: 'invalid_base64', pointer: '/messages/2/content/0/content/0' },
  ]);
});

it('signs of base64 may be escaped in a data URI', () => {
  const escaped = encodeURIComponent(base64(`\x89PNG\r\n\x1a\n${'\xff\xfe'.repeat(9)}x`));
  expect(escaped).toContain('%');
  const url = `data:image/png;base64,${escaped}`;
  const content = [{ type: 'image_url', image_url: { url } }];
  expect(checked('openai-chat', { messages: [{ role: 'user', content }] })).toEqual([]);
});

it('a data URI in a field of base64 is none', () => {
  const codesOf = (format: FormatName, data: string) => checked(format, REQUESTS[format](data, 'image/png'));
  for (const format of ['anthropic-messages', 'gemini', 'bedrock-converse'] as const)
    expect(codesOf(format, uri(PNG, 'image/png'))).toEqual(['invalid_base64']);
  // The SDK, and what LangChain and Langroid make of a message, know both.
  for (const format of ['ai-sdk', 'langchain', 'langroid'] as const)
    expect(codesOf(format, uri(PNG, 'image/png'))).toEqual([]);
  const wav = base64(`RIFF\0\0\0\0WAVE${'x'.repeat(40)}`);
  const spoken = (data: string) => {
    const content = [{ type: 'input_audio', input_audio: { data, format: 'wav' } }];
    return checked('openai-chat', { messages: [{ role: 'user', content }] });
  };
  expect(spoken(wav)).toEqual([]);
  expect(spoken(uri(wav, 'audio/wav'))).toEqual(['invalid_base64']);
});
