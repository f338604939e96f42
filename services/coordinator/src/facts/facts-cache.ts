import { createHash } from 'node:crypto';
import type { MediaFacts, MediaKind } from '@preflight/core';
import { type EncodingName, encodingFacts, READERS_VERSION } from '@preflight/pool';
import { CountKeys, type DigestKey } from '@preflight/storage';
import { factsOfNumber, numberOfFacts } from './facts-number.js';

/*
 * Facts are kept where counts are, under keys of their own: version of the readers, what the file is said to be (which decides where its
 * bytes do not tell), and its digest; tokens of its text under one that names the encoding as well.
 */
export interface FileKeys {
  readonly facts: DigestKey;
  readonly tokens: DigestKey;
}

/** Of a file by the SHA-256 of its bytes, in hex. */
export function fileKeys(sha256: string, kind: MediaKind | undefined, encoding: EncodingName): FileKeys {
  return keysOf('file', sha256, kind, encoding);
}

/** Of a file that stands in a request, by the digest of its payload and what is written in front of it. */
export function payloadKeys(
  hex: string,
  { front, kind }: { readonly front: Uint8Array; readonly kind: MediaKind | undefined },
  encoding: EncodingName,
): FileKeys {
  const named = createHash('sha256').update(hex).update(front).digest('hex');
  return keysOf('payload', named, kind, encoding);
}

function keysOf(
  digestOf: string,
  hex: string,
  kind: MediaKind | undefined,
  encoding: EncodingName,
): FileKeys {
  const version = `${READERS_VERSION} ${digestOf} ${kind ?? ''}`;
  const { vocabularyVersion } = encodingFacts(encoding);
  return {
    facts: keysIn('media facts', version).ofDigest(hex),
    tokens: keysIn(`${encoding} text of media`, `${vocabularyVersion} ${version}`).ofDigest(hex),
  };
}

const scopes = new Map<string, CountKeys>();

function keysIn(encoding: string, vocabularyVersion: string): CountKeys {
  const scope = `${encoding}\n${vocabularyVersion}`;
  let keys = scopes.get(scope);
  if (keys === undefined) {
    keys = new CountKeys({ encoding, vocabularyVersion });
    scopes.set(scope, keys);
  }
  return keys;
}

/** The numbers that are kept of facts: themselves, and the tokens of a text. None of what may be told another time. */
export function numbersOfFacts(facts: MediaFacts): readonly number[] {
  const isForNow = facts.kind === 'pdf' && facts.textTokens === undefined;
  const isLate = facts.kind === 'unreadable' && facts.as === 'pdf' && facts.reason === 'took_too_long';
  const number = isForNow || isLate ? undefined : numberOfFacts(facts);
  if (number === undefined) return [];
  const { textTokens } = facts as { readonly textTokens?: number };
  return textTokens === undefined ? [number] : [number, textTokens];
}

/** The facts again; undefined if one of the numbers that make them is not known. */
export function factsOfEntry([number, textTokens]: readonly (number | undefined)[]): MediaFacts | undefined {
  const facts = number === undefined ? undefined : factsOfNumber(number);
  if (facts?.kind !== 'text' && facts?.kind !== 'pdf') return facts;
  return textTokens === undefined ? undefined : { ...facts, textTokens };
}
