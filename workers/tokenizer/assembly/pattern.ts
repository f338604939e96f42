// Which splitting pattern this module is built for; the build gives PATTERN as a constant (asc --use).

export const GPT2: i32 = 1;
export const CL100K: i32 = 2;
export const O200K: i32 = 3;
/** cl100k, where some tokens are found as whole pieces only. */
export const LLAMA3: i32 = 4;
/** cl100k with digits one by one. */
export const QWEN2: i32 = 5;
/** o200k without contractions and with digits one by one. */
export const TEKKEN: i32 = 6;

// @ts-ignore: constant of the build
export const IS_GPT2: bool = PATTERN == GPT2;
/** Pieces of letters whatever their case, contractions as pieces of their own. */
// @ts-ignore: constant of the build
export const IS_CL100K: bool = PATTERN == CL100K || PATTERN == LLAMA3 || PATTERN == QWEN2;
/** Pieces of letters that end at a capital behind a small letter. */
// @ts-ignore: constant of the build
export const IS_O200K: bool = PATTERN == O200K || PATTERN == TEKKEN;
// @ts-ignore: constant of the build
export const HAS_CONTRACTIONS: bool = PATTERN != TEKKEN;
// @ts-ignore: constant of the build
export const HAS_SINGLE_DIGITS: bool = PATTERN == QWEN2 || PATTERN == TEKKEN;
// @ts-ignore: constant of the build
export const HAS_WHOLE_PIECES: bool = PATTERN == LLAMA3;
/** Tables of words and rows take ten seconds to make: vocabularies that are read when a process starts have none. */
// @ts-ignore: constant of the build
export const HAS_WORD_TABLES: bool = PATTERN == CL100K || PATTERN == O200K;
