import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '../harness/temp-dir.js';

interface SampleMaker {
  makePdf(seed?: number): Buffer;
  makeConversation(pdf: Buffer, seed?: number): Record<string, unknown> & { messages: unknown[] };
}

/** The script of the examples; it makes nothing by being imported. */
const maker: SampleMaker = await import(new URL('../../examples/make-sample.mjs', import.meta.url).href);
export const { makePdf, makeConversation } = maker;

/** The sample conversation in a file of its own. */
export async function sampleFile(): Promise<string> {
  return jsonFile(makeConversation(makePdf()));
}

export async function jsonFile(value: unknown): Promise<string> {
  const path = join(await tempDir(), 'conversation.json');
  await writeFile(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
}
