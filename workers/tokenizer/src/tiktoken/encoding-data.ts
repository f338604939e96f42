import { ENCODINGS, type ShippedEncoding, type ShippedName } from '../encodings.js';

/** What tiktoken ships of one encoding. */
export interface EncodingData {
  /** Lines of `! first-rank token…`, tokens in base64. */
  readonly bpe_ranks: string;
  readonly pat_str: string;
}

export async function importEncodingData(encoding: ShippedName): Promise<EncodingData> {
  // The package's types describe ES modules, but Node gets CommonJS, whose export is the default itself.
  const { importData }: ShippedEncoding = ENCODINGS[encoding];
  return (await importData()).default as EncodingData;
}
