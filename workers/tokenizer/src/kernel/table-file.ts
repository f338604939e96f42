import { closeSync, openSync, readSync } from 'node:fs';

/**
 * Reads a table image into memory: pages that are not in the file are empty and stay untouched (see
 * scripts/kernel/image-file.mjs).
 */
export function readTables(file: URL, memory: Uint8Array): void {
  const descriptor = openSync(file, 'r');
  try {
    const counts = new Uint32Array(2);
    readFully(descriptor, new Uint8Array(counts.buffer), 0);
    const [pageBytes = 0, pageCount = 0] = counts;
    if (pageBytes * pageCount > memory.length)
      throw new Error('the tables of the kernel do not fit in its memory');
    const isPresent = new Uint8Array(pageCount);
    readFully(descriptor, isPresent, 8);
    let position = Math.ceil((8 + pageCount) / pageBytes) * pageBytes;
    for (let page = 0; page < pageCount; ) {
      const first = page;
      while (page < pageCount && isPresent[page] === 1) page++;
      const bytes = (page - first) * pageBytes;
      readFully(descriptor, memory.subarray(first * pageBytes, first * pageBytes + bytes), position);
      position += bytes;
      while (page < pageCount && isPresent[page] !== 1) page++;
    }
  } finally {
    closeSync(descriptor);
  }
}

function readFully(descriptor: number, target: Uint8Array, position: number): void {
  for (let done = 0; done < target.length; ) {
    const count = readSync(descriptor, target, done, target.length - done, position + done);
    if (count === 0) throw new Error('the tables of the kernel are incomplete: build again');
    done += count;
  }
}
