import { createHash } from 'node:crypto';
import type { LeftOut } from '@preflight/contracts';
import {
  changeAt,
  type Fitted,
  type Ledger,
  type Message,
  messageTokens,
  TextRange,
  type TextRef,
} from '@preflight/core';
import { Turn } from '@preflight/runtime';

/** Bytes that are hashed before others have their turn. */
const STEP_BYTES = 256 * 1024;

const bytesOf = (text: TextRef) => (text instanceof TextRange ? text.byteLength : Buffer.byteLength(text));

/**
 * What a decision leaves out of a conversation, for who wants to sum it up: which messages, how much, and a name for their
 * text, by which a summary can be found again. Undefined if nothing is left out. The text goes along on request.
 */
export async function leftOut(
  messages: readonly Message[],
  ledger: Ledger,
  decision: Fitted,
  withTexts: boolean,
): Promise<LeftOut | undefined> {
  const turn = new Turn();
  const hash = createHash('sha256');
  const indices: number[] = [];
  let tokens = 0;
  for (const [index, { role, texts }] of messages.entries()) {
    if (index % 1024 === 0) await turn.breathe();
    if (changeAt(decision, index).action !== 'dropped') continue;
    indices.push(index);
    tokens += messageTokens(ledger, index);
    // Lengths in front, so that no other division into messages and texts has the same digest.
    hash.update(JSON.stringify([role, texts.map(bytesOf)]));
    for (const text of texts) {
      if (!(text instanceof TextRange)) hash.update(text);
      else {
        const bytes = text.bytes();
        for (let start = 0; start < bytes.length; start += STEP_BYTES) {
          hash.update(bytes.subarray(start, start + STEP_BYTES));
          await turn.breathe();
        }
      }
    }
  }
  if (indices.length === 0) return undefined;
  const digest = `sha256:${hash.digest('hex')}`;
  if (!withTexts) return { indices, tokens, digest };
  const given = indices.map((index) => ({
    index,
    role: messages[index]?.role as string,
    // Long texts are written as they came; the schema of answers knows strings only.
    texts: [...(messages[index]?.texts ?? [])] as string[],
  }));
  return { indices, tokens, digest, messages: given };
}
