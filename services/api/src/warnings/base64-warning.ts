import type { Warning } from '@preflight/contracts';
import { type Message, TextRange } from '@preflight/core';

/** Shorter texts cost little, whatever they are. */
const LONG_BYTES = 16 * 1024;
const SAMPLE_BYTES = 256;

/**
 * Files that were written into a text, as base64: the provider bills them as the text that they are, which is rarely meant.
 * A few samples of every long text tell.
 */
export function base64Warning(messages: readonly Message[]): Warning[] {
  const found = messages.flatMap(({ texts }, index) => (texts.some(holdsBase64) ? [index] : []));
  if (found.length === 0) return [];
  return [
    {
      code: 'base64_in_text',
      detail: `Texts of messages ${found.slice(0, 20).join(', ')} hold what looks like base64 or a data URL; as text it counts, and is billed, by its characters.`,
    },
  ];
}

function holdsBase64(text: Message['texts'][number]): boolean {
  if (!(text instanceof TextRange) || text.byteLength < LONG_BYTES) return false;
  const bytes = text.bytes();
  return [1, 2, 3].every((quarter) => {
    const start = Math.floor((bytes.length * quarter) / 4);
    return bytes.subarray(start, start + SAMPLE_BYTES).every((byte) => IS_BASE64[byte] === 1);
  });
}

const IS_BASE64 = new Uint8Array(256);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_')
  IS_BASE64[character.charCodeAt(0)] = 1;
