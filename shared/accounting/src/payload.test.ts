import { type AttachedFile, finish, TextRange } from '@preflight/core';
import { describe, expect, it } from 'vitest';
import { attachmentCountable } from './index.js';

function rangeOf(text: string): TextRange {
  const bytes = Buffer.from(text);
  const buffer = new SharedArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  return new TextRange(buffer, 0, bytes.length);
}

function written(file: AttachedFile, model = 'gpt-4o'): string {
  return finish(attachmentCountable({ kind: 'file', pointer: '/messages/0/files/0', file }, model))
    .map((piece) => (typeof piece === 'string' ? piece : 'text' in piece ? `<${piece.as}>` : '<range>'))
    .join('');
}

describe('files of Langroid', () => {
  const contentBase64 = 'QUJD';

  it.each<[string, AttachedFile, string]>([
    [
      'an image',
      { mimeType: 'image/png', contentBase64 },
      '{"image_url":{"url":"data:image/png;base64,<base64>"},"type":"image_url"}',
    ],
    [
      'an image with detail',
      { mimeType: 'image/png', contentBase64, detail: 'l"w' },
      '{"image_url":{"detail":"l\\"w","url":"data:image/png;base64,<base64>"},"type":"image_url"}',
    ],
    [
      'an image by URL',
      { mimeType: 'image/png', contentBase64, url: 'https://x/ü' },
      '{"image_url":{"url":"https://x/\\u00fc"},"type":"image_url"}',
    ],
    [
      'an image by long URL',
      { mimeType: 'image/png', url: rangeOf('http://x/') },
      '{"image_url":{"url":"<json>"},"type":"image_url"}',
    ],
    [
      'an image by another scheme',
      { mimeType: 'image/png', url: 'ftp://x/' },
      '{"image_url":{"url":"data:image/png;base64,"},"type":"image_url"}',
    ],
    [
      'a file',
      { mimeType: 'text/plain', filename: 'né.txt', contentBase64, url: 'https://x', detail: 'low' },
      '{"file":{"file_data":"data:text/plain;base64,<base64>","filename":"n\\u00e9.txt"},"type":"file"}',
    ],
    [
      'a file by URL, which is lost',
      { filename: 'a.pdf', url: 'https://x/a.pdf' },
      '{"file":{"file_data":"data:application/pdf;base64,","filename":"a.pdf"},"type":"file"}',
    ],
  ])('%s', (_, file, expected) => {
    expect(written(file)).toBe(expected);
  });

  it('are all images for Gemini', () => {
    const file = { mimeType: 'application/pdf', filename: 'a.pdf', contentBase64 };
    expect(written(file, 'Google/GEMINI-3-pro')).toBe(
      '{"image_url":{"url":"data:application/pdf;base64,<base64>"},"type":"image_url"}',
    );
  });

  it.each<[AttachedFile, string]>([
    [{ filename: 'a.b.PDF' }, 'application/pdf'],
    [{ filename: 'a.PNG' }, 'image/png'],
    [{ filename: 'notes' }, 'application/octet-stream'],
    [{ filename: '.pdf' }, 'application/octet-stream'],
    [{ filename: 'a.constructor' }, 'application/octet-stream'],
    [{ filename: 'a.xyz', url: 'https://x/b.csv' }, 'text/csv'],
    [{ url: 'https://x.pdf' }, 'application/octet-stream'],
    [{ url: 'https://x/y.pdf/z' }, 'application/octet-stream'],
    [
      { url: 'https://x/y.docx?q=/a.png#b.gif' },
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ],
    [{ filename: 'a.png', mimeType: 'text/x' }, 'text/x'],
    [{}, 'application/octet-stream'],
  ])('%j has the type %s', (file, type) => {
    expect(written({ ...file, contentBase64 })).toContain(`data:${type};base64,`);
  });

  it('have a name that depends on the content only', () => {
    const name = (base64: string | TextRange) =>
      /attachment_[0-9a-f]{8}\.bin/.exec(written({ contentBase64: base64 }))?.[0];
    const content = 'QUJD'.repeat(5_000);
    expect(name(content)).toBeDefined();
    expect(name(content)).toBe(name(rangeOf(content)));
    expect(name(content)).not.toBe(name(`${content}QUJD`));
    expect(name(content)).not.toBe(name(`R${content.slice(1)}`));
    expect(name(content)).not.toBe(name(`${content.slice(0, -1)}E`));
    expect(written({})).not.toBe(written({ url: 'https://x/' }));
  });
});

describe('content parts', () => {
  it('are written as given, in canonical form', () => {
    const part = { type: 'input_audio', input_audio: { format: 'wav', data: rangeOf('QUJD') }, extra: 'é' };
    expect(finish(attachmentCountable({ kind: 'part', part }, 'gemini'))).toEqual([
      '{"extra":"\\u00e9","input_audio":{"data":"',
      { text: part.input_audio.data, as: 'json' },
      '","format":"wav"},"type":"input_audio"}',
    ]);
  });
});
