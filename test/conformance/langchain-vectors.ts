import { readFileSync } from 'node:fs';

/** The lines of `vectors/langchain-trim.jsonl` and `langchain-generated.jsonl`, as far as tests read them. */
export interface TrimVector {
  id: string;
  input: {
    counter: 'len' | 'o200k+4' | 'approximate';
    messages: VectorMessage[];
    options: { max_tokens: number; [option: string]: unknown };
  };
  expected: {
    error: { code: string } | null;
    kept: { index: number; content?: unknown }[];
    tokens: number;
    /** Absent where they were not recorded. */
    hazards?: string[];
    message_tokens: number[];
    total_tokens: number;
  };
}

export interface VectorMessage {
  role: string;
  content: string | null | object[];
  [field: string]: unknown;
}

/** The lines of `vectors/langchain-approx.jsonl`. */
export interface ApproximateVector {
  id: string;
  input: { messages: VectorMessage[] };
  expected: { tokens: number };
}

export const trimVectors: TrimVector[] = readLines('langchain-trim.jsonl');
export const generatedVectors: TrimVector[] = readLines('langchain-generated.jsonl');
export const approximateVectors: ApproximateVector[] = readLines('langchain-approx.jsonl');

function readLines<Line>(name: string): Line[] {
  return readFileSync(new URL(`./vectors/${name}`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}
