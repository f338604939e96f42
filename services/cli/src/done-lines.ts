import { createReadStream, fstatSync } from 'node:fs';
import { stat, truncate } from 'node:fs/promises';
import { InputError, reasonOf } from './read-input.js';

const NEWLINE = 0x0a;

/**
 * Ids of the lines whose results stand in the file, of an earlier run that may have been broken off in the middle of a
 * line. That one is done anew; if results are appended to this very file, it is taken away first, so that the next one
 * does not become a part of it. Throws InputError if the file cannot be read.
 */
export async function takeDone(file: string): Promise<Set<string>> {
  try {
    const { ids, wholeBytes, sizeBytes } = await readDone(file);
    if (wholeBytes < sizeBytes && (await isOutput(file))) await truncate(file, wholeBytes);
    return ids;
  } catch (error) {
    throw new InputError(`cannot read ${file}: ${reasonOf(error)}`);
  }
}

/** `wholeBytes`: without what stands behind the last line break. */
async function readDone(file: string) {
  const ids = new Set<string>();
  let wholeBytes = 0;
  let sizeBytes = 0;
  let line: Buffer[] = [];
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const id = idIn(Buffer.concat([...line, chunk.subarray(start, end)]).toString());
      if (id !== undefined) ids.add(id);
      line = [];
      start = end + 1;
      wholeBytes = sizeBytes + start;
    }
    line.push(chunk.subarray(start));
    sizeBytes += chunk.length;
  }
  return { ids, wholeBytes, sizeBytes };
}

/** What is no result, such as the line of a batch itself, is skipped: its line is done anew. */
function idIn(line: string): string | undefined {
  try {
    const { id, status } = JSON.parse(line);
    return typeof id === 'string' && typeof status === 'number' ? id : undefined;
  } catch {
    return undefined;
  }
}

async function isOutput(file: string): Promise<boolean> {
  const [named, output] = [await stat(file), fstatSync(process.stdout.fd)];
  return named.dev === output.dev && named.ino === output.ino;
}
