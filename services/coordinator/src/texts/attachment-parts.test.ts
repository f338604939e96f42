import { createHash } from 'node:crypto';
import { attachmentCountable } from '@preflight/accounting';
import { type Attachment, type Countable, finish, TextRange, writePiece } from '@preflight/core';
import { loadCounter } from '@preflight/tokenizer';
import { describe, expect, test } from 'vitest';
import { attachmentParts } from './attachment-parts.js';

/** Bytes that differ by seed, the same on every machine. */
function bytesOf(seed: string, lengthBytes: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(lengthBytes / 32) }, (_, i) =>
    createHash('sha256').update(`${seed}-${i}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, lengthBytes);
}

function range(text: string): TextRange {
  const bytes = Buffer.from(text);
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return new TextRange(shared, 0, bytes.length);
}

function written(countable: Countable): string {
  return countable
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      const text = piece instanceof TextRange ? piece : piece.text;
      const bytes = typeof text === 'string' ? Buffer.from(text) : text.bytes();
      const as = piece instanceof TextRange ? undefined : piece.as;
      return Buffer.from(as === undefined ? bytes : (writePiece({ as }, bytes) ?? expect.fail())).toString();
    })
    .join('');
}

const file = (base64: string, filename: string, mimeType = 'application/pdf'): Attachment => ({
  kind: 'file',
  pointer: '/messages/0/files/0',
  file: { contentBase64: range(base64), filename, mimeType },
});
const filePart = (base64: string, filename: string): Attachment => ({
  kind: 'part',
  part: { type: 'file', file: { filename, file_data: range(`data:application/pdf;base64,${base64}`) } },
});

const countableOf = (attachment: Attachment) =>
  finish(attachmentCountable(attachment, 'gpt-4o')) as Countable;

describe.each(['o200k_base', 'cl100k_base', 'r50k_base'] as const)('attachmentParts for %s', (encoding) => {
  const partsOf = (attachment: Attachment) => attachmentParts(countableOf(attachment), encoding);

  test('add up to the whole, in text and in tokens', async () => {
    const counter = await loadCounter(encoding);
    for (let lengthBytes = 5000; lengthBytes < 5060; lengthBytes++) {
      const base64 = bytesOf(`sum ${lengthBytes}`, lengthBytes).toString('base64');
      for (const attachment of [file(base64, 'ä"\\.pdf'), filePart(base64, 'b.pdf')]) {
        const { head, interior, tail } = partsOf(attachment) ?? expect.fail();
        const whole = written(countableOf(attachment));
        const texts = [head, [interior], tail].map(written);
        expect(texts.join('')).toBe(whole);
        expect(texts.reduce((sum, text) => sum + counter.count(text), 0)).toBe(counter.count(whole));
        expect(texts[0]?.length).toBeLessThan(1200);
      }
    }
  });

  test('have the same interior whatever the file is called and wherever it stands', () => {
    const base64 = bytesOf('same', 40_000).toString('base64');
    const attachments = [
      file(base64, 'a.pdf'),
      file(base64, 'another name', 'image/png'),
      filePart(base64, 'c.pdf'),
      {
        kind: 'part',
        part: { type: 'input_audio', input_audio: { data: range(base64), format: 'mp3' } },
      } as const,
    ];
    const interiors = attachments.map((attachment) =>
      written([(partsOf(attachment) ?? expect.fail()).interior]),
    );
    expect(new Set(interiors).size).toBe(1);
    expect(interiors[0]?.length).toBeGreaterThan(50_000);
  });
});

describe('attachmentParts', () => {
  test.each([
    ['a small payload', filePart('AAAA'.repeat(100), 'a.pdf')],
    ['zeros, which have no border', filePart('AAAA'.repeat(5000), 'a.pdf')],
    [
      'base64 that is not canonical at its end',
      file(`${bytesOf('x', 6001).toString('base64').replace(/=+$/, '')}`, 'a'),
    ],
    ['base64 that begins with white space', file(`\n${bytesOf('x', 6000).toString('base64')}`, 'a')],
  ])('leaves %s whole', (_, attachment) => {
    expect(attachmentParts(countableOf(attachment), 'o200k_base')).toBeUndefined();
  });

  test('leaves content alone, which is nobody else’s', () => {
    expect(attachmentParts([range(bytesOf('x', 6000).toString('base64'))], 'o200k_base')).toBeUndefined();
  });
});
