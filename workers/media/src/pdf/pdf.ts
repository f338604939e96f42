import type { MediaFacts } from '@preflight/core';
import type { FileBytes } from '../file-bytes.js';
import type { MediaReader } from '../media-reader.js';
import { damaged, isLocal, Unreadable } from '../unreadable.js';
import { toldReferences } from './cross-references.js';
import { foundReferences } from './found-references.js';
import { countPageObjects, countPages, toldPages } from './page-tree.js';
import { type CrossReferences, PdfFile } from './pdf-file.js';

const MARK = '%PDF-';
/** Some writers put something before it; readers look here. */
const MARK_WITHIN_BYTES = 1024;

/**
 * PDF: pages as its tree has them, by way of tables and streams of references and of streams of objects; of a damaged file,
 * those that are found in it. An encrypted one is `encrypted` here, since its streams cannot be read without a key: `readPdfText`
 * may find that it opens without a password.
 */
export const pdf: MediaReader = {
  kind: 'pdf',
  matches: (file) => markIn(file) >= 0,
  read: (file): MediaFacts => {
    const opened = new PdfFile(Buffer.from(file.bytes(0, file.byteLength)));
    return { kind: 'pdf', pages: pagesOf(opened), mimeType: 'application/pdf' };
  },
};

function markIn(file: FileBytes): number {
  if (!file.has(MARK.length)) return -1;
  return Buffer.from(file.bytes(0, MARK_WITHIN_BYTES)).indexOf(MARK);
}

function pagesOf(file: PdfFile): number {
  return unlessDamaged(() => pagesBy(file, toldReferences(file))) ?? pagesFound(file);
}

function pagesBy(file: PdfFile, references: CrossReferences): number {
  if (references.trailer.has('/Encrypt')) throw new Unreadable('encrypted');
  const pages = countPages(file, references);
  if (pages === 0) throw damaged();
  return pages;
}

/** Providers take smaller files; a search reads all of it. */
const MAX_SEARCHED_BYTES = 64 * 1024 * 1024;

function pagesFound(file: PdfFile): number {
  if (file.bytes.length > MAX_SEARCHED_BYTES) throw new Unreadable('too_large');
  const references = foundReferences(file);
  const pages = unlessDamaged(() => pagesBy(file, references)) ?? countPageObjects(file, references);
  if (pages === 0) throw damaged();
  return pages;
}

/**
 * How many pages a file with an `/Encrypt` entry shows without a key: a library that opens it and finds fewer has missed some. 0 for
 * other files, and where all that tells is in streams. Throws Unreadable.
 */
export function pagesInClear(bytes: Uint8Array): number {
  const file = new PdfFile(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (!file.bytes.includes('/Encrypt')) return 0;
  const byTree = unlessDamaged(() => {
    const told = toldReferences(file);
    return Math.max(countPages(file, told), toldPages(file, told));
  });
  if (byTree) return byTree;
  if (file.bytes.length > MAX_SEARCHED_BYTES) throw new Unreadable('too_large');
  const found = foundReferences(file);
  return Math.max(
    unlessDamaged(() => toldPages(file, found)) ?? 0,
    unlessDamaged(() => countPages(file, found)) ?? 0,
    countPageObjects(file, found),
  );
}

function unlessDamaged(count: () => number): number | undefined {
  try {
    return count();
  } catch (error) {
    if (isLocal(error)) return undefined;
    throw error;
  }
}
