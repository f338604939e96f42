import { parentPort } from 'node:worker_threads';
import { fileBytes, readPdfText } from '@preflight/media';
import type { DocumentOutcome, DocumentTask } from './document-reader.js';

/** Entry of the thread that reads PDF files: one at a time. It may be ended at any moment, and holds nothing. */
parentPort?.on('message', async (task: DocumentTask) => parentPort?.postMessage(await read(task)));

async function read({ source, start, end, form }: DocumentTask): Promise<DocumentOutcome> {
  const bytes = fileBytes(new Uint8Array(source, start, end - start), form);
  if (bytes === undefined) return { unreadable: 'no_base64' };
  // Not shared with anybody, whatever the reader does with it.
  const found = await readPdfText(Uint8Array.from(bytes));
  if ('unreadable' in found) return found;
  const text = Buffer.from(found.text.toWellFormed());
  const shared = new SharedArrayBuffer(text.length);
  new Uint8Array(shared).set(text);
  return { pages: found.pages, text: shared };
}
