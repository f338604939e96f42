import { readFileSync } from 'node:fs';
import {
  addNamedEncoding,
  type EncodingFacts,
  type EncodingName,
  encodingFacts,
  isShipped,
} from '../encodings.js';
import { moduleUrl, tablesUrl } from './artefacts.js';
import { readTables } from './table-file.js';
import { releaseSlots } from './thread-slots.js';
import { type WasmMemory, type WasmModule, webAssembly } from './web-assembly.js';

/**
 * What the threads of a process share of one vocabulary: the compiled module, and the memory with the tables
 * and a region for each thread. May be posted to a worker, which adopts it.
 */
export interface SharedKernel {
  readonly facts: EncodingFacts;
  readonly module: WasmModule;
  readonly memory: WasmMemory;
}

/** Initially the tables alone: TABLES_END of assembly/layout.ts. */
const PAGE_COUNT = { initial: 442, maximum: 65_536 };

/** By vocabulary; module state is per thread, so a thread that adopted nothing loads its own. */
const kernels = new Map<string, SharedKernel>();

/** The kernel of an encoding: adopted, or loaded from the artefacts once (some 15 ms). */
export function sharedKernel(encoding: EncodingName): SharedKernel {
  const facts = encodingFacts(encoding);
  let kernel = kernels.get(facts.vocabulary);
  if (kernel === undefined) {
    kernel = newKernel(facts, (memory) => readTables(tablesUrl(facts.vocabulary), memory));
    kernels.set(facts.vocabulary, kernel);
  }
  return kernel;
}

/** A kernel whose tables somebody writes into its memory, which is empty. */
export function newKernel(facts: EncodingFacts, putTables: (memory: Uint8Array) => void): SharedKernel {
  const module = new webAssembly.Module(readFileSync(moduleUrl(facts.family)));
  const memory = new webAssembly.Memory({ ...PAGE_COUNT, shared: true });
  putTables(new Uint8Array(memory.buffer));
  // Of what is shipped the facts hold a function, which cannot be posted.
  const { family, vocabulary, vocabularyVersion, isNormalized } = facts;
  const posted = { family, vocabulary, vocabularyVersion, ...(isNormalized && { isNormalized }) };
  return { facts: posted, module, memory };
}

/** To be called when a thread that counted has ended, whichever way: its regions are free for others. */
export function forgetThread(threadId: number): void {
  for (const { memory } of kernels.values()) releaseSlots(memory, threadId);
}

/** Makes `loadCounter` of this thread use a kernel that another thread loaded. */
export function adoptKernel(kernel: SharedKernel): void {
  const { facts } = kernel;
  if (!isShipped(facts.vocabulary)) addNamedEncoding(facts);
  kernels.set(facts.vocabulary, kernel);
}
