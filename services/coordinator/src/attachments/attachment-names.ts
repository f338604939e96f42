import { BlobText, type Countable, isHere, type TextRef } from '@preflight/core';
import type { Digest, Pool, WorkOptions } from '@preflight/pool';
import { Turn } from '@preflight/runtime';
import type { PlannedAttachment } from './plan-attachment.js';

/**
 * What tells attachments from each other, by their order: the same name for the same file, under whatever name and type and however it
 * is written, one that came apart (`PUT /v1/blobs`) among them; for what only the provider can get, if it is referred to by the
 * same URL or id; and for other parts if they are equal. How closely it is to be looked at is part of it. Undefined for what is like
 * no other, as far as had to be looked.
 *
 * Files whose text is the same are known by its digest, where that was made for counting. In threads, it reads the whole of those alone that
 * begin alike and are written in several ways. Rejects with the pool's codes.
 */
export async function attachmentNames(
  pool: Pool,
  planned: readonly PlannedAttachment[],
  { digests = NO_DIGESTS, ...options }: NameOptions,
): Promise<(string | undefined)[]> {
  const names = new Array<string | undefined>(planned.length);
  const files: Unread<TextRef>[] = [];
  const parts: Unread<Countable>[] = [];
  let isBlobAmong = false;
  const turn = new Turn();
  await turn.each(planned, ({ media, payload }, owner) => {
    const { data, reference, detail = '' } = media ?? {};
    if (data instanceof BlobText) {
      isBlobAmong = true;
      names[owner] = fileName(data.blob.sha256, detail);
    } else if (data !== undefined) files.push({ owner, detail, given: data });
    else if (reference !== undefined) names[owner] = referenceName(reference, detail);
    else if (isHere(payload)) parts.push({ owner, detail, given: payload });
  });
  const writings = new Map<string, Unread<TextRef>[]>();
  await turn.each(files, (file, i) => {
    const hex = digests.get(file.given);
    const writing = hex === undefined ? `${i}` : `text ${hex} ${file.detail}`;
    const ofWriting = writings.get(writing);
    if (ofWriting !== undefined) ofWriting.push(file);
    else writings.set(writing, [file]);
  });
  for (const [writing, same] of writings)
    if (same.length > 1) for (const { owner } of same) names[owner] = writing;
  const firsts = [...writings.values()].map(([first]) => first as Unread<TextRef>);
  const read = await digestFiles(pool, isBlobAmong ? firsts : await alike(firsts, turn), options);
  const sha256Of = new Map(read);
  for (const [first, ...others] of writings.values()) {
    const sha256 = sha256Of.get(first as Unread<TextRef>);
    if (sha256 !== undefined)
      for (const { owner, detail } of [first as Unread<TextRef>, ...others])
        names[owner] = fileName(sha256, detail);
  }
  if (parts.length < 2) return names;
  const found = await pool.digestAll(
    parts.map(({ given }) => given),
    options,
  );
  for (const [i, { owner }] of parts.entries()) names[owner] = `part ${(found[i] as Digest).hex}`;
  return names;
}

export interface NameOptions extends WorkOptions {
  /** Digests of the texts of files that are known anyway, by text. */
  readonly digests?: ReadonlyMap<TextRef, string> | undefined;
}

const NO_DIGESTS: ReadonlyMap<TextRef, string> = new Map();

/** An attachment of which no name is known yet. */
interface Unread<Given> {
  readonly owner: number;
  readonly detail: string;
  readonly given: Given;
}

function fileName(sha256: string, detail: string): string {
  return `file ${sha256} ${detail}`;
}

/** Longer ones are no addresses. */
const MAX_REFERENCE_BYTES = 8 * 1024;

function referenceName(reference: TextRef, detail: string): string | undefined {
  if (typeof reference === 'string') return `at ${detail} ${reference}`;
  if (reference.byteLength > MAX_REFERENCE_BYTES) return undefined;
  return `at ${detail} ${Buffer.from(reference.bytes()).toString()}`;
}

/** Those that begin as another does. */
async function alike(files: readonly Unread<TextRef>[], turn: Turn): Promise<Unread<TextRef>[]> {
  const beginnings: string[] = [];
  const counts = new Map<string, number>();
  await turn.each(files, ({ given, detail }) => {
    const beginning = `${detail} ${beginningOf(given)}`;
    beginnings.push(beginning);
    counts.set(beginning, (counts.get(beginning) ?? 0) + 1);
  });
  return files.filter((_, i) => (counts.get(beginnings[i] as string) ?? 0) > 1);
}

/** A header of a data URI is shorter. */
const HEADER_BYTES = 1024;
/** Letters that are compared, and how many characters hold them where lines are broken as they usually are. */
const LETTERS = 64;
const LETTERS_WITHIN = 96;

/** First letters of the file, the same in either alphabet of base64 and with line breaks. */
function beginningOf(text: TextRef): string {
  const length = HEADER_BYTES + LETTERS_WITHIN;
  const start =
    typeof text === 'string'
      ? text.slice(0, length)
      : Buffer.from(text.prefix(Math.min(length, text.byteLength)).bytes()).toString('latin1');
  const comma = /^data:/i.test(start) ? start.indexOf(',') : -1;
  const letters = start.slice(comma + 1, comma + 1 + LETTERS_WITHIN).replace(/[\s=]/g, '');
  return letters.slice(0, LETTERS).replaceAll('-', '+').replaceAll('_', '/');
}

/** SHA-256 of each; nothing of those that are no base64. */
async function digestFiles(
  pool: Pool,
  files: readonly Unread<TextRef>[],
  options: WorkOptions,
): Promise<(readonly [Unread<TextRef>, string])[]> {
  if (files.length === 0) return [];
  const digests = await pool.fileDigests(
    files.map(({ given }) => given),
    options,
  );
  return files.flatMap((file, i) => {
    const sha256 = digests[i];
    return sha256 == null ? [] : [[file, sha256] as const];
  });
}
