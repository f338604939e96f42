/** A repeatable source of numbers in [0, 1) (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

// biome-ignore format: one kind a line
const STRING_PARTS = [
  'a', 'bc', 'plain text ', 'QUJDREVGRw==', '0123456789abcdef0123456789abcdef',
  '\\n', '\\"', '\\\\', '\\/', '\\b\\f\\r\\t', '\\u0041', '\\u00e9', '\\u20AC', '\\uD83D\\uDE00', '\\u0000', '\\u001F',
  '\\ud83d', '\\ude00', '\\uDE00\\uD83D', '\\ud83dx', '\\ud83d\\n', '\\ud83d\\u0041', '\\ud83d\\\\udE00',
  'é', '€', '😀', '\u2028', '\u007f', '\ufeff', '\u0080', '\uffff',
  '\\', '\\u12', '\\u12g4', '\\x41', '\n', '\t', '\u0000', '\u001f', '"', '\\\\"', '\\\\\\"',
];
/** From here on the parts make a string that JSON refuses, or end it early. */
const FIRST_WRONG_PART = STRING_PARTS.indexOf('\\');

// biome-ignore format: one kind a line
const NUMBERS = [
  '0', '-0', '1', '-1', '12.5', '1e5', '1E+5', '1e-7', '-0.0', '1e400', '-1e400', '5e-324', '9007199254740993',
  '123456789012345678901234567890', '0.1e1', '0e0', '2147483648', '-2147483649',
];
const WRONG_SCALARS = ['01', '1.', '.5', '+1', '-', '1e', '0x1', 'NaN', 'Infinity', 'nul', 'TRUE', "'a'", ''];
const KEYS = [
  'a',
  'b',
  '',
  '1',
  '0',
  '__proto__',
  'constructor',
  'toJSON',
  'content',
  'long key that is not lifted',
];
const SPACES = ['', '', '', '', ' ', '\n', '\t\r', '    '];
const WRONG_SPACES = ['\u00a0', '\ufeff', '\v', '//', ',', ':', '\u0000'];
const DELIMITERS = Buffer.from('"\\{}[]:,\u0000\n eE.-+0u');

const ROOT_DEPTH = 5;

/** Makes JSON texts of every kind, and texts that are almost JSON. */
export class RandomJson {
  readonly #random: () => number;
  /** The share of parts that are wrong. */
  #wrongness = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** The bytes of a text; about half of them are valid JSON, and a few are not even UTF-8. */
  next(): Buffer {
    this.#wrongness = this.#chance(0.3) ? 0.03 : 0;
    const depth = this.#chance(0.05) ? 40 : ROOT_DEPTH;
    let bytes: Buffer = Buffer.from(this.#spaces() + this.#value(depth) + this.#spaces());
    if (this.#chance(0.4)) for (let i = this.#below(3); i >= 0; i -= 1) bytes = this.#mutated(bytes);
    return bytes;
  }

  #value(depth: number): string {
    const kind = this.#kind(depth);
    if (kind < 3) return this.#string();
    if (this.#chance(this.#wrongness)) return this.#pick(WRONG_SCALARS);
    if (kind < 5) return this.#pick(NUMBERS);
    if (kind < 6) return this.#pick(['true', 'false', 'null']);
    const size = depth > 10 ? 1 : this.#below(5);
    if (kind < 8) return `[${this.#list(size, () => this.#value(depth - 1))}]`;
    const entry = () => `${this.#key()}${this.#spaces()}:${this.#spaces()}${this.#value(depth - 1)}`;
    return `{${this.#list(size, entry)}}`;
  }

  /** 0 to 2 a string, 3 to 5 another scalar, 6 and 7 an array, 8 and 9 an object; mostly those at the root. */
  #kind(depth: number): number {
    if (depth <= 0) return this.#below(6);
    return depth === ROOT_DEPTH && this.#chance(0.8) ? 6 + this.#below(4) : this.#below(10);
  }

  #list(size: number, item: () => string): string {
    const items = Array.from({ length: size }, () => this.#spaces() + item() + this.#spaces());
    return items.join(this.#chance(this.#wrongness) ? ',,' : ',') + this.#spaces();
  }

  #key(): string {
    return this.#chance(0.2) ? this.#string() : JSON.stringify(this.#pick(KEYS));
  }

  #string(): string {
    const kinds = this.#chance(this.#wrongness) ? STRING_PARTS.length : FIRST_WRONG_PART;
    const isPlain = this.#chance(0.4);
    let text = '';
    for (let i = this.#below(this.#chance(0.1) ? 60 : 8); i > 0; i -= 1) {
      text += STRING_PARTS[this.#below(isPlain ? 5 : kinds)];
    }
    return `"${text}"`;
  }

  #spaces(): string {
    return this.#pick(this.#chance(this.#wrongness / 4) ? WRONG_SPACES : SPACES);
  }

  #mutated(bytes: Buffer): Buffer {
    const at = this.#below(bytes.length + 1);
    const byte = this.#chance(0.7) ? DELIMITERS[this.#below(DELIMITERS.length)] : this.#below(256);
    switch (this.#below(7)) {
      case 0:
        return Buffer.concat([bytes.subarray(0, at), Buffer.from([byte as number]), bytes.subarray(at)]);
      case 1:
        return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + this.#below(3))]);
      case 2:
        return bytes.subarray(0, at);
      case 3:
        return Buffer.concat([bytes.subarray(0, at), bytes.subarray(this.#below(bytes.length + 1))]);
      case 4:
        bytes[at] = byte as number;
        return bytes;
      case 5: {
        const comma = bytes.indexOf(',', at);
        return comma < 0 ? bytes : Buffer.concat([bytes.subarray(0, comma), bytes.subarray(comma + 1)]);
      }
      default:
        bytes[at] = (bytes[at] ?? 0) ^ (1 << this.#below(8));
        return bytes;
    }
  }

  #below(bound: number): number {
    return Math.floor(this.#random() * bound);
  }

  #chance(probability: number): boolean {
    return this.#random() < probability;
  }

  #pick<T>(choices: readonly T[]): T {
    return choices[this.#below(choices.length)] as T;
  }
}
