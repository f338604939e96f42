import type { PreflightResponse } from '@preflight/contracts';
import { expect } from 'vitest';
import { serializeFile } from '../conformance/attachment-oracle.js';
import type { VectorFile } from '../conformance/langroid-vectors.js';
import { canonicalJson, oracleCount } from '../harness/oracle.js';
import type { Plain } from './conversations.js';

/** The texts of a message's content, read anew for the tests. */
export function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.filter((part) => part.type === 'text').map((part) => part.text);
}

/** Content tokens by tiktoken itself. */
export function contentTokens(message: Plain, encoding: string): number {
  return textsOf(message.content).reduce((sum, text) => sum + oracleCount(encoding, text), 0);
}

/** Attachment tokens by tiktoken, from the rule of langroid-overflow §7. */
export function attachmentTokens(message: Plain, encoding: string, body: Plain): number {
  if (message.role !== 'user') return 0;
  const parts = Array.isArray(message.content) ? message.content : [];
  const media = parts.filter(({ type }) => type !== 'text' && type !== 'refusal').map(canonicalJson);
  const given = body.format === 'langroid' ? ((message.files ?? []) as VectorFile[]) : [];
  const files = given.map((file) => serializeFile(file, String(body.model ?? '')));
  return [...media, ...files].reduce((sum, text) => sum + oracleCount(encoding, text), 0);
}

/** Index of the first message that may be changed, and of the first behind those. */
export function changeableRange(body: Plain, messages: readonly Plain[]): [start: number, end: number] {
  const firstOther = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  const front = firstOther === -1 ? messages.length : firstOther;
  const lastUser = messages.map(({ role }) => role).lastIndexOf('user');
  return [body.format === 'langroid' ? 1 : front, lastUser];
}

/** The edits of an answer that changes messages and nothing else. */
export function messageEdits({ edits }: Pick<PreflightResponse, 'edits'>) {
  return edits.map((edit) => ('index' in edit ? edit : expect.fail()));
}
