import { type AttachedFile, type Json, TextRange } from '@preflight/core';
import { describe, expect, it } from 'vitest';
import { isEmptyAttachment } from './index.js';

function rangeOf(text: string): TextRange {
  const bytes = Buffer.from(text);
  const buffer = new SharedArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  return new TextRange(buffer, 0, bytes.length);
}

const white = ' \n'.repeat(5_000);

describe('files of Langroid are empty', () => {
  it.each<[AttachedFile, string, boolean]>([
    [{ filename: 'a.pdf', url: 'https://x/a.pdf' }, 'gpt-4o', true],
    [{ filename: 'a.pdf', url: 'https://x/a.pdf' }, 'gemini-3', false],
    [{ filename: 'a.png', url: 'https://x/a.png' }, 'gpt-4o', false],
    [{ filename: 'a.png', url: 'ftp://x/a.png' }, 'gpt-4o', true],
    [{ filename: 'a.png', url: 'data:image/png;base64,QUJD' }, 'gpt-4o', true],
    [{ filename: 'a.png' }, 'gpt-4o', true],
    [{ filename: 'a.png', contentBase64: '' }, 'gpt-4o', true],
    [{ filename: 'a.png', contentBase64: '==' }, 'gpt-4o', true],
    [{ filename: 'a.png', contentBase64: ' \n=' }, 'gpt-4o', true],
    [{ filename: 'a.png', contentBase64: rangeOf(white) }, 'gpt-4o', true],
    [{ filename: 'a.png', contentBase64: rangeOf(`${white}QQ==`) }, 'gpt-4o', false],
    [{ filename: 'a.png', contentBase64: rangeOf('QUJD') }, 'gpt-4o', false],
    [{ filename: 'a.png', contentBase64: 'QQ==' }, 'gpt-4o', false],
  ])('%j for %s: %s', (file, model, expected) => {
    expect(isEmptyAttachment({ kind: 'file', pointer: '/messages/0/files/0', file }, model)).toBe(expected);
  });
});

describe('content parts are empty', () => {
  it.each<[Json, boolean]>([
    [{ type: 'image_url', image_url: { url: 'data:image/png;base64,' } }, true],
    [{ type: 'image_url', image_url: { url: 'DATA:image/png;base64,==' } }, true],
    [
      { type: 'image_url', image_url: { url: rangeOf(`data:image/png;name=${'n'.repeat(400)};base64,`) } },
      true,
    ],
    [{ type: 'image_url', image_url: { url: 'data:image/png;base64,QQ==' } }, false],
    [{ type: 'image_url', image_url: { url: 'https://x/,' } }, false],
    [{ type: 'image_url', image_url: { url: '' } }, true],
    [{ type: 'image_url', image_url: { url: null } }, true],
    [{ type: 'image_url', image_url: {} }, true],
    [{ type: 'image_url', image_url: 'data:image/png;base64,' }, true],
    [{ type: 'image_url', image_url: 'https://x/y.png' }, false],
    [{ type: 'image_url' }, true],
    [{ type: 'file', file: { file_data: 'data:application/pdf;base64,' } }, true],
    [{ type: 'file', file: { file_data: '', filename: 'a.pdf' } }, true],
    [{ type: 'file', file: { file_data: 'JVBERi0=' } }, false],
    [{ type: 'file', file: { file_data: null, file_id: 'f' } }, false],
    [{ type: 'input_audio', input_audio: { data: '', format: 'wav' } }, true],
    [{ type: 'input_audio', input_audio: { data: '==', format: 'wav' } }, true],
    [{ type: 'input_audio', input_audio: { format: 'wav' } }, true],
    [{ type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } }, false],
    [{ type: 'of_tomorrow', data: '' }, false],
  ])('part %j: %s', (part, expected) => {
    expect(isEmptyAttachment({ kind: 'part', part }, 'gpt-4o')).toBe(expected);
  });
});
