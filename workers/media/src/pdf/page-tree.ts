import { damaged, isLocal, Unreadable } from '../unreadable.js';
import { isDictionary, type PdfDictionary, type PdfObject } from './objects.js';
import type { CrossReferences, PdfFile } from './pdf-file.js';

/** Far beyond what any provider takes. */
const MAX_NODES = 200_000;
const MAX_DEPTH = 64;

/**
 * The pages of a file, counted leaf by leaf (ISO 32000-1 §7.7.3): what nodes say that they hold (`/Count`) may be anything.
 * Throws Unreadable.
 */
export function countPages(file: PdfFile, references: CrossReferences): number {
  let nodesLeft = MAX_NODES;
  const root = file.resolve(references.trailer.get('/Root'), references);
  if (!isDictionary(root)) throw damaged();
  return pagesUnder(root.get('/Pages'), 0);

  function pagesUnder(object: PdfObject | undefined, depth: number): number {
    if (--nodesLeft < 0) throw new Unreadable('too_large');
    const node = file.resolve(object, references);
    // A node above itself, or no node.
    if (depth > MAX_DEPTH || !isDictionary(node)) throw damaged();
    const kids = file.resolve(node.get('/Kids'), references);
    if (!Array.isArray(kids)) return isPage(node) ? 1 : 0;
    let pages = 0;
    for (const kid of kids) pages += pagesUnder(kid, depth + 1);
    return pages;
  }
}

/** What the tree says that it holds; 0 where it says nothing. Throws Unreadable. */
export function toldPages(file: PdfFile, references: CrossReferences): number {
  const root = file.resolve(references.trailer.get('/Root'), references);
  const tree = isDictionary(root) ? file.resolve(root.get('/Pages'), references) : null;
  const told = isDictionary(tree) ? file.resolve(tree.get('/Count'), references) : null;
  return typeof told === 'number' ? told : 0;
}

/** A page may say nothing of its type. */
function isPage(node: PdfDictionary): boolean {
  return node.get('/Type') !== '/Pages';
}

/** The pages that there are, whether or not a tree leads to them. */
export function countPageObjects(file: PdfFile, references: CrossReferences): number {
  let pages = 0;
  for (const number of references.places.keys()) {
    const object = resolved(number);
    if (isDictionary(object) && object.get('/Type') === '/Page') pages += 1;
  }
  return pages;

  function resolved(number: number): PdfObject {
    try {
      return file.object(number, references);
    } catch (error) {
      if (!isLocal(error)) throw error;
      file.budget.takeFault();
      return null;
    }
  }
}
