import { isAbsent, isObject, type Json, type JsonObject, type Steps, TextRange } from '@preflight/core';
import { STEP_ITEMS } from '../step-items.js';

/** A message as the rules of providers see it: who speaks, and of what parts it is made. */
export interface Entry {
  /** `system`, `user`, `assistant` or `tool` where the provider means that; else what was written. */
  readonly role: string;
  readonly parts: readonly Part[];
}

/** A place in a message. Taken out together, the parts of a message leave nothing of it. */
export interface Part {
  /** `nothing` is a list of parts without any, or no content at all; `malformed` is read, but not taken. */
  readonly kind:
    | 'text'
    | 'media'
    | 'document'
    | 'call'
    | 'result'
    | 'thinking'
    | 'other'
    | 'nothing'
    | 'malformed';
  /** Names and positions on the way to it; none if it is the message itself. */
  readonly path: readonly (string | number)[];
  /** Of a call or a result, which belong together by it. */
  readonly id?: string;
  /** Of a request to approve a call, whose id it has, or of the answer to one: the two belong together by it. */
  readonly approvalId?: string;
  /** A text of white space, or of nothing. */
  readonly isBlank?: boolean;
  /** Of a call or of thinking: the provider finds its own signature on it. */
  readonly isSigned?: boolean;
  /** Of media that come along: as they are sent. */
  readonly bytes?: number;
}

/** A path as a JSON pointer (RFC 6901). */
export function pointerOf(path: readonly (string | number)[]): string {
  return path.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/**
 * The parts of a content that is a text or a list, each as `read` sees it; `nothing` if there is none of it. Long texts
 * are not looked at: those of white space alone are not found.
 */
export function* partsOfContent(
  content: Json | undefined,
  path: Part['path'],
  read: (part: JsonObject, path: Part['path']) => Part,
): Steps<Part[]> {
  if (isAbsent(content)) return [{ kind: 'nothing', path }];
  if (!Array.isArray(content)) return [textPart(content, path)];
  if (content.length === 0) return [{ kind: 'nothing', path }];
  const parts: Part[] = [];
  for (const [index, part] of content.entries()) {
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
    const at = [...path, index];
    parts.push(isObject(part) ? read(part, at) : { kind: 'other', path: at });
  }
  return parts;
}

/** A part that is text; long ones are never blank, since nobody looks at them. */
export function textPart(text: Json | undefined, path: readonly (string | number)[]): Part {
  return { kind: 'text', path, isBlank: typeof text === 'string' && text.trim() === '' };
}

/** An id, as texts are ids: long ones are none. */
export function idOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Bytes of a text of ASCII, as base64 is; or of the file that is named by digest in its place. */
export function bytesOf(value: Json | undefined): number {
  if (value instanceof TextRange) return value.byteLength;
  if (isObject(value)) return base64Bytes(value);
  return typeof value === 'string' ? value.length : 0;
}

/** Of a file that a reference names, as base64 (formats.md §5). */
export function base64Bytes({ bytes }: JsonObject): number {
  return typeof bytes === 'number' ? 4 * Math.ceil(bytes / 3) : 0;
}
