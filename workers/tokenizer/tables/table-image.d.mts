/** Tokens are strings of one character a byte, at their ranks; a token of one byte has no halves. */
export interface ImageVocabulary {
  readonly tokens: readonly string[];
  readonly rankOf: ReadonlyMap<string, number>;
  readonly halves: readonly (readonly [left: number, right: number] | undefined)[];
  readonly wholePieces?: readonly string[];
}

export const MOST_WHOLE_PIECES: { readonly count: number; readonly bytes: number };

export function makeImage(
  vocabulary: ImageVocabulary,
  family: string,
  classes: Uint8Array,
  image?: Buffer,
): Buffer;
