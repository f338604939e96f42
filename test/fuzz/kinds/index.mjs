import { border } from './border.mjs';
import { chunk } from './chunk.mjs';
import { codepoints } from './codepoints.mjs';
import { count } from './count.mjs';
import { cut } from './cut.mjs';
import { long } from './long.mjs';
import { split } from './split.mjs';
import { step } from './step.mjs';

/** @type {Readonly<Record<string, import('../fuzz.mjs').Kind>>} */
export const KINDS = { count, cut, split, border, step, chunk, long, codepoints };

/** What is run unless kinds are named: all that could go on for ever. */
export const ENDLESS_KINDS = Object.keys(KINDS).filter((name) => name !== 'codepoints');
