import { expect, test } from 'vitest';
import { post } from '../harness/http.js';
import { startApi } from '../harness/in-process.js';
import { canonicalJson, oracleCount } from '../harness/oracle.js';
import { seededBytes } from '../harness/seeded-texts.js';

const { url } = await startApi();
const encoding = 'o200k_base';
const sizes = [0, 1, 2, 3, 700, 3_000, 250_000];

async function attachmentTokens(message: object, format = 'openai-chat'): Promise<number> {
  const { body } = await post(url, '/v1/count', { encoding, format, messages: [message] });
  return body.messages[0].attachment_tokens;
}

test.each(sizes)('an image of %i bytes in a data URI counts as its canonical JSON', async (size) => {
  const image = `data:image/png;base64,${seededBytes(size).toString('base64')}`;
  const part = { type: 'image_url', image_url: { url: image, detail: 'high' } };
  const text = canonicalJson(part);
  expect(text.startsWith('{"image_url":{"detail":"high","url":"data:')).toBe(true);
  expect(await attachmentTokens({ role: 'user', content: [part] })).toBe(oracleCount(encoding, text));
});

test.each(sizes)('a file of %i bytes counts alike as a part and as a Langroid file', async (size) => {
  const base64 = seededBytes(size, 2).toString('base64');
  const part = {
    type: 'file',
    file: { filename: 'Bericht 1 – "ä".pdf', file_data: `data:application/pdf;base64,${base64}` },
  };
  const file = { filename: part.file.filename, mime_type: 'application/pdf', content_base64: base64 };
  const expected = oracleCount(encoding, canonicalJson(part));
  expect(await attachmentTokens({ role: 'user', content: [part] })).toBe(expected);
  expect(await attachmentTokens({ role: 'user', content: '', files: [file] }, 'langroid')).toBe(expected);
});

test.each(['audio', 'text with escapes'])('%s is escaped as canonical JSON is', async (kind) => {
  const value =
    kind === 'audio' ? seededBytes(300_000, 3).toString('base64') : 'Ü"\\\n\u007f😀\ud800/'.repeat(20_000);
  const part = { type: 'input_audio', input_audio: { format: 'wav', data: value } };
  expect(await attachmentTokens({ role: 'user', content: [part] })).toBe(
    oracleCount(encoding, canonicalJson(part)),
  );
});

test.each([
  ['line breaks', (base64: string) => base64.replace(/.{76}/g, '$&\r\n')],
  ['URL-safe letters', (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_')],
  ['no padding', (base64: string) => base64.replace(/=+$/, '')],
])('base64 of a Langroid file with %s counts as canonical base64', async (_, written) => {
  for (const size of [500, 400_001]) {
    const base64 = seededBytes(size, 4).toString('base64');
    const file = { filename: 'a.bin', mime_type: 'application/octet-stream' };
    const canonical = await attachmentTokens(
      { role: 'user', files: [{ ...file, content_base64: base64 }] },
      'langroid',
    );
    const other = await attachmentTokens(
      { role: 'user', files: [{ ...file, content_base64: written(base64) }] },
      'langroid',
    );
    expect(other).toBe(canonical);
  }
});

test('only user messages have attachments', async () => {
  const part = { type: 'image_url', image_url: { url: 'https://example.org/a.png' } };
  for (const role of ['assistant', 'system', 'tool'])
    expect(await attachmentTokens({ role, content: [part] })).toBe(0);
});
