import type { Fault, FitOptions, KeptText, Ledger, ShortenStep, TextEstimate } from '@preflight/core';
import type { Inspected, InspectOptions, TextDocument } from '@preflight/media';
import type { EncodingName, EngineName, PatternFamily, SharedKernel } from '@preflight/tokenizer';
import type { Checkpoints } from './checkpoints.js';

/** What the main thread may ask of a worker thread. Nothing else crosses; texts are ranges of bytes, never strings. */
export type Task =
  | {
      readonly type: 'count';
      readonly counter: CounterSource;
      readonly texts: Packed;
      readonly cancelled: CancelFlag;
    }
  | {
      readonly type: 'encode';
      readonly encoding: EncodingName;
      readonly texts: Packed;
      readonly cancelled: CancelFlag;
    }
  | { readonly type: 'digest'; readonly texts: Packed; readonly cancelled: CancelFlag }
  | {
      /** One text, whose end may be still to come. */
      readonly type: 'digest_arriving';
      readonly texts: Packed;
      readonly firstLeaf: number;
      /** Of `Arrived`. */
      readonly arrived: SharedArrayBuffer;
      readonly cancelled: CancelFlag;
    }
  | { readonly type: 'file_digest'; readonly texts: Packed; readonly cancelled: CancelFlag }
  | { readonly type: 'base64'; readonly texts: Packed; readonly cancelled: CancelFlag }
  | {
      readonly type: 'segment';
      readonly family: PatternFamily;
      readonly texts: Packed;
      readonly cancelled: CancelFlag;
    }
  | {
      readonly type: 'cut_to_fit';
      readonly counter: CounterSource;
      readonly estimate: TextEstimate | undefined;
      readonly ledger: Ledger;
      readonly options: FitOptions;
      readonly texts: Packed;
      /** The texts of message i are `textStarts[i]` up to `textStarts[i + 1]`. */
      readonly textStarts: Int32Array;
      /** What is known of long texts, by their position among the texts. */
      readonly checkpoints: ReadonlyMap<number, Checkpoints>;
      readonly cancelled: CancelFlag;
    }
  | {
      readonly type: 'measure';
      readonly texts: Packed;
      /** What is measured of each text, as an index into `TEXT_MEASURES`. */
      readonly measures: Uint8Array;
      readonly cancelled: CancelFlag;
    }
  | {
      readonly type: 'inspect';
      readonly texts: Packed;
      /** How each of them is to be read. */
      readonly as: readonly InspectOptions[];
      readonly cancelled: CancelFlag;
    }
  | {
      readonly type: 'keep_pieces';
      /** Absent: characters are counted, not tokens. */
      readonly counter: CounterSource | undefined;
      readonly texts: Packed;
      readonly step: ShortenStep;
      readonly cancelled: CancelFlag;
    }
  | {
      readonly type: 'cut';
      readonly counter: CounterSource;
      readonly texts: Packed;
      readonly maxTokens: number;
      readonly cancelled: CancelFlag;
    };

/** Which counter a thread uses, and what of it the process has in common. */
export interface CounterSource {
  readonly encoding: EncodingName;
  readonly engine: EngineName;
  /** Module and tables of the kernel; posting them costs nothing, and a thread keeps the first it is given. */
  readonly kernel: SharedKernel | undefined;
}

/** What comes back, by the type of the task. Failures come back as data, since error classes do not survive the way. */
export type Outcome<Type extends Task['type']> = { readonly runMs: number } & (
  | { readonly ok: Results[Type] }
  | { readonly fault: Fault }
);

export interface Results {
  count: Int32Array;
  /** Ids of the tokens of one text. */
  encode: Int32Array;
  digest: readonly Digest[];
  /** Leaves, in hex. */
  digest_arriving: readonly string[];
  /** SHA-256 of the file in each text, in hex; null where that is no base64. */
  file_digest: readonly (string | null)[];
  /** Letters of base64, as bytes. */
  base64: SharedArrayBuffer;
  /** The segments of each text; undefined for what has to be rewritten before it is counted. */
  segment: readonly (readonly SegmentDigest[] | undefined)[];
  /** As `numbersOfCuts` writes them. */
  cut_to_fit: Int32Array;
  /** Characters of each text. */
  measure: Int32Array;
  inspect: readonly FileFacts[];
  keep_pieces: KeptText | null;
  /** Bytes kept. */
  cut: number;
}

/** What a file is; the text of a document in a shared buffer. */
export type FileFacts =
  | Exclude<Inspected, TextDocument>
  | { readonly kind: 'text'; readonly text: SharedArrayBuffer };

export interface Digest {
  /** Of the text as it is counted, in hex (`digestBytes`). */
  readonly hex: string;
  /** The bytes given are the bytes counted: no piece had to be written another way. */
  readonly isPlain: boolean;
}

/** A stretch of a text that can be counted apart (see `segmentEnds`), up to `endBytes`. */
export interface SegmentDigest {
  readonly endBytes: number;
  /** Of the stretch's bytes, in hex. */
  readonly hex: string;
}

/** Countables as columns: no objects to clone, and shared buffers travel without a copy. */
export interface Packed {
  readonly sources: readonly (SharedArrayBuffer | ArrayBuffer)[];
  /** Four numbers a piece: source, start, end, writing (an index into `WRITINGS`). */
  readonly pieces: Int32Array;
  /** For each countable, the index behind its last piece. */
  readonly ends: Int32Array;
}

export const WRITINGS = [undefined, 'json', 'base64'] as const;

/** One 32-bit word, not 0 once the work is no longer wanted. Threads look at it between steps. */
export type CancelFlag = SharedArrayBuffer;
