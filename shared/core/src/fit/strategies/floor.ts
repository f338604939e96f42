/** Tokens of content that a cut always keeps, the marker not included (`FLOOR`, langroid-overflow §1). */
export const FLOOR_TOKENS = 30;
