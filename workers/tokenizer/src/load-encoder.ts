import { type EncodingName, isShipped, type ShippedName, UnknownEncodingError } from './encodings.js';

/** Gives the tokens themselves, as tiktoken's ordinary encoding does, in time linear in the text. */
export interface Encoder {
  readonly encoding: EncodingName;
  /** The ids of all tokens. What a text is stands at `Counter`; as synchronous and heavy, and slower. */
  encode(text: string | Uint8Array): Int32Array;
}

const encoders = new Map<EncodingName, Promise<Encoder>>();

/**
 * The encoder of an encoding, loaded once in a thread: some 0.4 s and 4 MB for o200k_base. Whoever needs no more than the
 * number of tokens takes a `Counter`, which is many times faster. Rejects with `UnknownEncodingError`, also
 * for vocabularies that were given by name: of those only numbers of tokens are known.
 */
export async function loadEncoder(encoding: EncodingName): Promise<Encoder> {
  if (!isShipped(encoding)) throw new UnknownEncodingError(encoding);
  let encoder = encoders.get(encoding);
  if (encoder === undefined) {
    encoder = load(encoding);
    encoders.set(encoding, encoder);
    encoder.catch(() => encoders.delete(encoding));
  }
  return encoder;
}

/** Imported only where it is asked for: threads that count need none of it. */
async function load(encoding: ShippedName): Promise<Encoder> {
  const { loadPatternEncoder } = await import('./pattern-encoder.js');
  return loadPatternEncoder(encoding);
}
