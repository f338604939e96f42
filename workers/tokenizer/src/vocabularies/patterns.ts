import type { PatternFamily } from '../encodings.js';

const CL100K_DIGITS =
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

/** Splitting patterns as `tokenizer.json` files write them, and the kernel that splits so. */
export const FAMILY_OF_PATTERN: ReadonlyMap<string, PatternFamily> = new Map([
  [CL100K_DIGITS, 'llama3'],
  [CL100K_DIGITS.replace('\\p{N}{1,3}', '\\p{N}'), 'qwen2'],
  [
    '[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+|[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+',
    'tekken',
  ],
]);
