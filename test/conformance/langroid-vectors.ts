import { readFileSync } from 'node:fs';

/** The lines of `vectors/langroid-overflow.jsonl`, as far as tests read them. */
export interface Vector {
  id: string;
  category: string;
  input: {
    encoding: 'cl100k_base' | 'o200k_base';
    model: string;
    messages: VectorMessage[];
    options: {
      context_length: number;
      max_output_tokens: number;
      min_output_tokens: number;
      strategy: 'truncate' | 'drop_turns';
    };
  };
  expected: Expected;
}

export interface VectorMessage {
  role: string;
  content: string | null;
  files?: VectorFile[];
}

export interface VectorFile {
  content_base64?: string;
  filename: string;
  mime_type: string;
  url?: string;
  detail?: string;
}

export interface Expected {
  stage: 'fits' | 'shrink_output' | 'truncate' | 'drop_turns' | 'error';
  output_len: number | null;
  error: ExpectedError | null;
  kept: { index: number; content?: string }[] | null;
  budget: number;
  history_tokens_before: number;
  history_tokens_after: number;
  content_tokens_before: number[];
  attachment_tokens_before: number[];
  content_tokens_after: number[];
  attachment_tokens_after: number[];
  truncated_indices: number[];
  dropped_turns: number[][];
  trace: { index: number; keep_tokens: number; content_tokens_after: number }[];
}

export interface ExpectedError {
  code: string;
  history_tokens_before: number;
  history_tokens_after: number;
  budget: number;
  shortfall: number;
  unshrinkable: { index: number; reason: string; content_tokens: number; attachment_tokens: number }[];
}

export const vectors: Vector[] = readFileSync(
  new URL('./vectors/langroid-overflow.jsonl', import.meta.url),
  'utf8',
)
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));
