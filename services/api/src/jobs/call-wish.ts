import type { IncomingHttpHeaders } from 'node:http';
import { PreflightError } from '@preflight/core';

/** How a caller wants to be answered, from the headers of its request. */
export interface CallWish {
  /** `Prefer: respond-async`: a job is taken, and asked for later. */
  readonly isAsync: boolean;
  /** `Prefer: respond-async, wait=10`: for so long it would rather wait than ask later. */
  readonly waitMs: number;
  /** `Idempotency-Key`: the same request under the same key is the same job. */
  readonly idempotencyKey: string | undefined;
}

/** Reads the wish (RFC 7240 for `Prefer`). Throws `invalid_request` for a key that is none. */
export function readCallWish(headers: IncomingHttpHeaders): CallWish {
  const preferences = preferencesOf([headers.prefer ?? []].flat().join(','));
  const waitSeconds = Number(preferences.get('wait'));
  return {
    isAsync: preferences.has('respond-async'),
    // Whole, since timers take no other numbers.
    waitMs: Number.isFinite(waitSeconds) && waitSeconds > 0 ? Math.ceil(waitSeconds * 1000) : 0,
    idempotencyKey: readKey(headers['idempotency-key']),
  };
}

const MAX_KEY_CHARACTERS = 255;

function readKey(given: string | string[] | undefined): string | undefined {
  if (given === undefined) return undefined;
  // Of a header that comes twice Node makes one, with a comma and a space.
  const key = String(given);
  if (key.length <= MAX_KEY_CHARACTERS && /^[\x21-\x7e]+$/.test(key)) return key;
  throw new PreflightError('invalid_request', {
    publicDetail: `The Idempotency-Key must be 1 to ${MAX_KEY_CHARACTERS} visible ASCII characters.`,
    params: { characters: key.length, limit: MAX_KEY_CHARACTERS },
  });
}

/** Names in lower case; what stands behind a semicolon is for others. Of a preference that comes twice the first counts. */
function preferencesOf(header: string): Map<string, string> {
  const preferences = new Map<string, string>();
  for (const preference of header.split(',')) {
    const [name = '', value = ''] = (preference.split(';')[0] as string).split('=');
    const key = name.trim().toLowerCase();
    if (!preferences.has(key)) preferences.set(key, value.trim().replaceAll('"', ''));
  }
  return preferences;
}
