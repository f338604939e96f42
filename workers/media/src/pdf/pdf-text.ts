import type { UnreadableReason } from '@preflight/core';
import { Unreadable } from '../unreadable.js';
import { pagesInClear } from './pdf.js';

/** What all pages of a PDF say, or why nobody can tell. */
export type PdfText =
  | { readonly pages: number; readonly text: string }
  | { readonly pages?: number; readonly unreadable: Exclude<UnreadableReason, 'not_here'> };

/** Twice what any provider takes of a file. */
const MAX_PAGES = 2000;
/** More than any context window takes, some 8 million tokens. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/**
 * The text of a PDF by pdf.js, as `unpdf` bundles it for Node: pages in order, a line each where the file has lines. It also opens
 * files that are encrypted without a password to open them. `damaged` where it finds no page, or fewer than stand in an encrypted file in the
 * clear: it opens damaged files too, with what pages it can find. Drawings and pictures are not rendered.
 *
 * A hostile file may take any time and memory here: to be called in a thread that can be ended (`DocumentReader` of
 * `@preflight/pool`).
 */
export async function readPdfText(bytes: Uint8Array): Promise<PdfText> {
  let leastPages: number;
  try {
    // Before the bytes are given away.
    leastPages = Math.max(1, pagesInClear(bytes));
  } catch (error) {
    if (error instanceof Unreadable) return { unreadable: error.reason };
    throw error;
  }
  // Loaded only where a PDF is read: some 100 ms.
  const { getDocumentProxy } = await import('unpdf');
  let document: Awaited<ReturnType<typeof getDocumentProxy>>;
  try {
    document = await getDocumentProxy(bytes, { verbosity: 0, isEvalSupported: false, useSystemFonts: false });
  } catch (error) {
    return { unreadable: (error as Error).name === 'PasswordException' ? 'encrypted' : 'damaged' };
  }
  try {
    const pages = document.numPages;
    if (!(pages >= leastPages)) return { unreadable: 'damaged' };
    if (pages > MAX_PAGES) return { pages, unreadable: 'too_large' };
    const texts: string[] = [];
    let characters = 0;
    for (let number = 1; number <= pages; number++) {
      const page = await document.getPage(number);
      const text = textOf((await page.getTextContent()).items);
      page.cleanup();
      characters += text.length;
      if (characters > MAX_CHARACTERS) return { pages, unreadable: 'too_large' };
      texts.push(text);
    }
    return { pages, text: texts.join('\n') };
  } catch {
    // The pages are known from the tree, if that is sound.
    return { unreadable: 'damaged' };
  } finally {
    await document.destroy();
  }
}

function textOf(items: readonly object[]): string {
  return items
    .map((item) => ('str' in item ? `${item.str}${'hasEOL' in item && item.hasEOL ? '\n' : ''}` : ''))
    .join('');
}
