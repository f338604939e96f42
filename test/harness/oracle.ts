import { get_encoding, type Tiktoken, type TiktokenEncoding } from 'tiktoken';

const encoders = new Map<string, Tiktoken>();

/** Same ranks and pattern as another one; tiktoken does not ship it by its own name. */
const ALIASES: Readonly<Record<string, string>> = { o200k_harmony: 'o200k_base' };

/** What everything else is measured by: tiktoken's ordinary encoding, a lone surrogate being U+FFFD. */
export function oracleCount(encoding: string, text: string): number {
  let encoder = encoders.get(encoding);
  if (encoder === undefined) {
    encoder = get_encoding((ALIASES[encoding] ?? encoding) as TiktokenEncoding);
    encoders.set(encoding, encoder);
  }
  return encoder.encode_ordinary(text.toWellFormed()).length;
}

/** Keys sorted at every level, no spaces, ASCII only (langroid-overflow §7); written apart from the product's. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([key, member]) => `${canonicalJson(key)}:${canonicalJson(member)}`).join(',')}}`;
  }
  const json = JSON.stringify(typeof value === 'string' ? value.toWellFormed() : value);
  return json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
