// The constants of assembly/layout.ts, the one place where they are written.
import { readFileSync } from 'node:fs';

const source = readFileSync(new URL('../assembly/layout.ts', import.meta.url), 'utf8');

export const layout = {};
for (const [, name, type, value] of source.matchAll(/^export const (\w+): (\w+) = (\w+);/gm))
  layout[name] = type === 'u64' ? BigInt(value) : Number(value);

/** Families whose modules look into the tables of words and rows, as assembly/pattern.ts has it. */
export const HAS_WORD_TABLES = new Set(['cl100k', 'o200k']);
