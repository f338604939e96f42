import { type FileFault, type MediaKind, mediaKindOfType, type TextRef } from '@preflight/core';
import type { FileForm } from './file-fields.js';

/** How a file stands in a request, and what is said of it there. */
export interface StatedFile {
  readonly form: FileForm;
  readonly takesUri?: boolean | undefined;
  readonly kind?: MediaKind | undefined;
  readonly mimeType?: string | undefined;
}

/** Letters at the front and at the end that are looked at, whatever the size of the file: some 10 µs. */
const FRONT_LETTERS = 4096;
const END_LETTERS = 64;

/**
 * What is wrong with a file that is written as base64 or as a data URI (RFC 2397), as far as its first and last letters
 * tell; undefined if nothing is.
 */
export function faultOfFile(text: TextRef, stated: StatedFile): FileFault['reason'] | undefined {
  const length = typeof text === 'string' ? text.length : text.byteLength;
  const front = latin1(text, 0, FRONT_LETTERS);
  const uri = /^data:([^,]*)(,?)/i.exec(front);
  if (uri === null && stated.form === 'data_uri') return length === 0 ? 'empty' : undefined;
  if (uri !== null && stated.form === 'base64' && !stated.takesUri) return 'not_base64';
  const [mimeType = '', ...parameters] = (uri?.[1] ?? '').toLowerCase().split(';');
  const isWhole = length <= FRONT_LETTERS;
  const isPlain = uri !== null && !parameters.includes('base64');
  const letters = unescaped(front.slice(uri?.[0].length ?? 0), uri !== null);
  if (isWhole && /^[=\s]*$/.test(letters)) return 'empty';
  if (isPlain) return undefined;
  const end = isWhole ? '' : unescaped(latin1(text, length - END_LETTERS, length), uri !== null);
  if (!isBase64(letters, end, isWhole)) return 'not_base64';
  const found = typeOf(firstBytes(letters));
  if (found === undefined) return undefined;
  return differenceOf(found, { ...stated, mimeType: stated.mimeType ?? mimeType });
}

const LATIN1 = new TextDecoder('latin1');

function latin1(text: TextRef, start: number, end: number): string {
  if (typeof text === 'string') return text.slice(start, end);
  return LATIN1.decode(text.bytes().slice(start, Math.min(end, text.byteLength)));
}

/** Base64 in a data URI may have its signs escaped as in any URI. */
function unescaped(letters: string, isInUri: boolean): string {
  return isInUri ? letters.replace(/%(2b|2f|3d)/gi, (escaped) => decodeURIComponent(escaped)) : letters;
}

/** Of either alphabet, with or without padding and line breaks. */
function isBase64(letters: string, end: string, isWhole: boolean): boolean {
  const [front, back] = [letters, end].map((text) => text.replace(/\s+/g, '')) as [string, string];
  if (!isWhole) return BASE64.test(front) && BASE64.test(withoutPadding(back));
  const data = withoutPadding(front);
  return BASE64.test(data) && data.length % 4 !== 1;
}

const BASE64 = /^[\w+/-]*$/;

function withoutPadding(letters: string): string {
  return letters.replace(/={1,2}$/, '');
}

/** As many bytes as types are told by. */
function firstBytes(letters: string): string {
  const data = letters.replace(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  return atob(data.slice(0, 32));
}

/** How files begin whose type nobody mistakes: what stands at which bytes. */
const TYPES: readonly (readonly [
  mimeType: string,
  start: string,
  further?: readonly [at: number, text: string],
])[] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF8'],
  ['image/webp', 'RIFF', [8, 'WEBP']],
  ['application/pdf', '%PDF-'],
  ['audio/wav', 'RIFF', [8, 'WAVE']],
  ['audio/flac', 'fLaC'],
];

function typeOf(bytes: string): string | undefined {
  return TYPES.find(
    ([, start, [at, text] = [0, '']]) => bytes.startsWith(start) && bytes.startsWith(text, at),
  )?.[0];
}

/** Where what a file begins like is not what it is said to be. */
function differenceOf(
  found: string,
  { kind, mimeType = '' }: StatedFile,
): 'other_kind' | 'other_image' | undefined {
  const foundKind = mediaKindOfType(found);
  const kinds = [kind, mimeType === '' ? undefined : mediaKindOfType(mimeType)];
  if (kinds.some((stated) => stated !== undefined && stated !== foundKind)) return 'other_kind';
  const isOther = TYPES.some(([type]) => type === mimeType) && mimeType !== found;
  return isOther && foundKind === 'image' ? 'other_image' : undefined;
}
