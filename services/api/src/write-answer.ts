import { writeJsonChunks } from '@preflight/body';
import { type Json, type JsonObject, TextRange } from '@preflight/core';
import { Turn } from '@preflight/runtime';

/** Items of a list that are written in one go: about a millisecond. */
const SLICE_ITEMS = 2000;

/**
 * The JSON of an answer, in pieces to be sent one after the other. Long lists of the answer, and of objects in it, are
 * written a slice at a time, so that other requests get their turn in between.
 */
export async function writeAnswer(body: Json): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  const turn = new Turn();
  for (const chunk of chunksOf(body)) {
    chunks.push(...chunk);
    await turn.breathe();
  }
  return chunks;
}

function* chunksOf(value: Json): Generator<Uint8Array[]> {
  if (!holdsLongList(value)) yield writeJsonChunks(value);
  else if (Array.isArray(value)) yield* listChunks(value);
  else yield* objectChunks(value as JsonObject);
}

function* objectChunks(object: JsonObject): Generator<Uint8Array[]> {
  let mark = '{';
  for (const [name, value] of Object.entries(object)) {
    yield [Buffer.from(`${mark}${JSON.stringify(name)}:`)];
    yield* chunksOf(value);
    mark = ',';
  }
  yield [Buffer.from('}')];
}

function* listChunks(list: readonly Json[]): Generator<Uint8Array[]> {
  for (let start = 0; start < list.length; start += SLICE_ITEMS) {
    const slice = writeJsonChunks(list.slice(start, start + SLICE_ITEMS));
    yield [Buffer.from(start === 0 ? '[' : ','), ...withoutBrackets(slice)];
  }
  yield [Buffer.from(']')];
}

function withoutBrackets(chunks: readonly Uint8Array[]): Uint8Array[] {
  return chunks.map((chunk, i) => {
    const start = i === 0 ? 1 : 0;
    return chunk.subarray(start, i === chunks.length - 1 ? -1 : undefined);
  });
}

function holdsLongList(value: Json): boolean {
  if (Array.isArray(value)) return value.length > SLICE_ITEMS;
  if (typeof value !== 'object' || value === null || value instanceof TextRange) return false;
  return Object.values(value).some(holdsLongList);
}
