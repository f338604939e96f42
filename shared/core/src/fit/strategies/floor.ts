/** Tokens of content that a cut always keeps, the marker not included (`FLOOR`, langroid-overflow §1). */
export const FLOOR_TOKENS = 30;

/** Bytes of content that a cut to fewer bytes always keeps, the marker not included: some 30 tokens of English. */
export const FLOOR_BYTES = 128;
