import {
  type Cut,
  keepPieces,
  measureText,
  numbersOfCuts,
  PreflightError,
  startFit,
  TEXT_MEASURES,
  type TextMeasure,
  toFault,
} from '@preflight/core';
import {
  adoptKernel,
  type Counter,
  loadCounter,
  loadEncoder,
  onEachStep,
  segmentEnds,
} from '@preflight/tokenizer';
import { Arrived } from './arriving-texts.js';
import { makeCut } from './make-cut.js';
import type { CancelFlag, CounterSource, Outcome, Results, Task } from './messages.js';
import { countTexts, digestTexts } from './read-texts.js';
import { TextMeter } from './text-meter.js';
import { digestArrived, digestBytes } from './tree-digest.js';
import { characterUnits, tokenUnits } from './units.js';
import { Unpacked } from './unpack.js';
import { noLongerWanted } from './work.js';

/** Entry of a worker thread: one task in, its outcome out. Only faults of our own are caught; others are bugs. */
export default async function run(task: Task): Promise<Outcome<Task['type']>> {
  const startMs = performance.now();
  cancelled = task.cancelled;
  try {
    const ok = await perform(task);
    return { ok, runMs: performance.now() - startMs };
  } catch (error) {
    if (!(error instanceof PreflightError)) throw error;
    return { fault: toFault(error), runMs: performance.now() - startMs };
  }
}

/** The flag of the task that runs; one at a time. */
let cancelled: CancelFlag | undefined;
onEachStep(() => {
  if (cancelled !== undefined) throwIfCancelled(cancelled);
});

function perform(task: Task): Promise<Results[Task['type']]> | Results[Task['type']] {
  switch (task.type) {
    case 'count':
      return count(task);
    case 'encode':
      return encode(task);
    case 'digest':
      return digest(task);
    case 'digest_arriving':
      return digestArriving(task);
    case 'file_digest':
      return fileDigests(task);
    case 'base64':
      return base64(task);
    case 'segment':
      return segment(task);
    case 'cut_to_fit':
      return cutToFit(task);
    case 'measure':
      return measure(task);
    case 'inspect':
      return inspectAll(task);
    case 'keep_pieces':
      return keepPiecesOf(task);
    case 'cut':
      return cut(task);
  }
}

async function count(task: Task & { type: 'count' }): Promise<Results['count']> {
  return countTexts(await counterOf(task.counter), unpacked(task), unlessCancelled(task));
}

async function encode(task: Task & { type: 'encode' }): Promise<Results['encode']> {
  const encoder = await loadEncoder(task.encoding);
  return encoder.encode(unpacked(task).bytes(0).bytes);
}

function digest(task: Task & { type: 'digest' }): Results['digest'] {
  return digestTexts(unpacked(task), unlessCancelled(task));
}

function digestArriving(task: Task & { type: 'digest_arriving' }): Results['digest_arriving'] {
  const { bytes } = unpacked(task).bytes(0);
  return digestArrived(bytes, task.firstLeaf, new Arrived(task.arrived), unlessCancelled(task));
}

async function fileDigests(task: Task & { type: 'file_digest' }): Promise<Results['file_digest']> {
  const { digestFiles } = await import('./read-files.js');
  return digestFiles(unpacked(task), unlessCancelled(task));
}

/** Whole groups of three bytes, so that the base64 of slices is that of the whole. */
const BASE64_SLICE_BYTES = 3 * 64 * 1024;

function base64(task: Task & { type: 'base64' }): Results['base64'] {
  const { bytes } = unpacked(task).bytes(0);
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const letters = Buffer.from(new SharedArrayBuffer(Math.ceil(file.length / 3) * 4));
  for (let start = 0, at = 0; start < file.length; start += BASE64_SLICE_BYTES) {
    throwIfCancelled(task.cancelled);
    at += letters.write(file.toString('base64', start, start + BASE64_SLICE_BYTES), at, 'latin1');
  }
  return letters.buffer;
}

function segment(task: Task & { type: 'segment' }): Results['segment'] {
  const texts = unpacked(task);
  return Array.from({ length: texts.length }, (_, i) => {
    const { bytes, isPlain } = texts.bytes(i);
    if (!isPlain) return undefined;
    let start = 0;
    return segmentEnds(bytes, task.family).map((endBytes) => {
      throwIfCancelled(task.cancelled);
      const hex = digestBytes(bytes.subarray(start, endBytes), unlessCancelled(task));
      start = endBytes;
      return { endBytes, hex };
    });
  });
}

/** The loop of the fit stages: each recount decides the next share, so one thread does them all. */
async function cutToFit(task: Task & { type: 'cut_to_fit' }): Promise<Results['cut_to_fit']> {
  const meter = new TextMeter(await counterOf(task.counter), task.estimate);
  const texts = unpacked(task);
  const textsOf = (index: number) => {
    const start = task.textStarts[index] as number;
    const end = task.textStarts[index + 1] as number;
    return Array.from({ length: end - start }, (_, i) => ({
      bytes: texts.bytes(start + i).bytes,
      checkpoints: task.checkpoints.get(start + i) ?? [],
    }));
  };
  const cuts: Cut[] = [];
  const fit = startFit(task.ledger, task.options);
  const countsBytes = task.options.maxRequestBytes !== undefined;
  for (let step = fit.step; step.type === 'cut'; ) {
    throwIfCancelled(task.cancelled);
    const made = makeCut(meter, step, textsOf(step.index), { countsBytes });
    cuts.push(made);
    step = fit.next(made);
  }
  return numbersOfCuts(cuts);
}

function measure(task: Task & { type: 'measure' }): Results['measure'] {
  const texts = unpacked(task);
  return Int32Array.from(task.measures, (as, i) => {
    throwIfCancelled(task.cancelled);
    return measureText(decoder.decode(texts.bytes(i).bytes), TEXT_MEASURES[as] as TextMeasure);
  });
}

async function inspectAll(task: Task & { type: 'inspect' }): Promise<Results['inspect']> {
  const { inspectFiles } = await import('./read-files.js');
  return inspectFiles(unpacked(task), task.as, unlessCancelled(task)).map((found) =>
    found.kind === 'text' ? { ...found, text: shared(found.text) } : found,
  );
}

function shared(bytes: Uint8Array): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  return buffer;
}

async function keepPiecesOf(task: Task & { type: 'keep_pieces' }): Promise<Results['keep_pieces']> {
  const units = task.counter === undefined ? characterUnits : tokenUnits(await counterOf(task.counter));
  return keepPieces(unpacked(task).bytes(0).bytes, task.step, {
    count: (text) => units.count(text),
    exceeds: (text, maxUnits) => {
      throwIfCancelled(task.cancelled);
      return units.exceeds(text, maxUnits);
    },
  });
}

// A byte-order mark at the start is text like any other.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

async function cut(task: Task & { type: 'cut' }): Promise<Results['cut']> {
  const counter = await counterOf(task.counter);
  return counter.cutBytes(unpacked(task).bytes(0).bytes, task.maxTokens);
}

function unpacked(task: Pick<Task, 'texts' | 'cancelled'>): Unpacked {
  return new Unpacked(task.texts, unlessCancelled(task));
}

function unlessCancelled({ cancelled: flag }: Pick<Task, 'cancelled'>): () => void {
  return () => throwIfCancelled(flag);
}

function counterOf({ encoding, engine, kernel }: CounterSource): Promise<Counter> {
  if (kernel !== undefined) adoptKernel(kernel);
  return loadCounter(encoding, { engine });
}

function throwIfCancelled(flag: CancelFlag): void {
  if (Atomics.load(new Int32Array(flag), 0) !== 0) throw noLongerWanted();
}
