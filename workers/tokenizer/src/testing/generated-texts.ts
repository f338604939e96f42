/** Texts for the exactness tests, reproducible from a seed: the seams of the patterns above all. */

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** Neighbours that the patterns treat specially. */
const SEAMS = [
  ...[
    "'s",
    "'S",
    "'\u017f",
    "'\u017F",
    "'re",
    "'lL",
    "'VE",
    "'m",
    "'D",
    "'x",
    "'",
    "''",
    'l',
    'L',
    'r',
    'E',
    's',
  ],
  ...[
    ' ',
    '  ',
    '   ',
    '\n',
    '\r\n',
    '\r',
    '\t',
    '\v',
    '\u00a0',
    '\u0085',
    '\u2028',
    '\u2029',
    '\u3000',
    '\ufeff',
    '\u200b',
  ],
  ...['0', '12', '1234', '\u00bd', '\u0663', '\u2167', '\u{1d7d8}', '\u00b2', '\u0e51'],
  ...[
    'a',
    'Z',
    'the',
    'The',
    'THE',
    'eHello',
    '\u01c5',
    '\u00e9',
    '\u00c9',
    'e\u0301',
    '\u0301',
    '\u0300\u0301',
    '\u20dd',
  ],
  ...[
    '\u02b0',
    '\u4e2d\u6587',
    '\u0627\u0644',
    '\u0e01\u0e33',
    '\u05e9\u05b8',
    '\u0915\u094d',
    '\u00aa',
    '\u{10400}',
    '\u{1e900}',
  ],
  ...['\u{1f9e0}', '\u{1f468}\u200d\u{1f469}', '\u{1f1e9}', '\ufe0f', '\ud83d', '\udc00', '\ufffd'],
  ...['.', '!!', '/', '//', '\n\n/', '/\n', '_', '-', '{"', '":', '=', '\0', '\u0001', '\u00ad'],
  ...['<|endoftext|>', '<|im_start|>', '<|fim_prefix|>', '<|endofprompt|>'],
];

const PROSE =
  "It's the cat's. DON'T! We\u2019ve 12,345 \u00fcber-caf\u00e9s; \u4e2d\u6587\u6d4b\u8bd5\u3002 \u0645\u0631\u062d\u0628\u0627 \u043f\u0440\u0438\u0432\u0435\u0442".split(
    ' ',
  );

export class TextGenerator {
  private state: number;

  constructor(readonly seed: number) {
    this.state = seed | 0;
  }

  /** A number of 0 to 1 (mulberry32). */
  random(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  repeat(times: number, make: () => string): string {
    return Array.from({ length: times }, make).join('');
  }

  /** A text of one of the kinds, of about `parts` parts. */
  text(parts: number): string {
    return this.pick(Object.values(this.kinds))(1 + this.below(parts));
  }

  readonly kinds: Readonly<Record<string, (parts: number) => string>> = {
    seams: (parts) => this.repeat(parts, () => this.pick(SEAMS)),
    moreSeams: (parts) => this.repeat(parts, () => this.pick(SEAMS)),
    cased: (parts) =>
      this.repeat(parts, () => this.pick(['a', 'B', '\u01c5', '\u4e2d', '\u0301', "'", 'l', 'L', ' ', '1'])),
    spaced: (parts) =>
      this.repeat(parts, () =>
        this.pick([' ', ' ', '\n', '\r', '\t', '\u00a0', '\u0085', 'x', '.', '/', '7']),
      ),
    codePoints: (parts) =>
      this.repeat(parts, () =>
        String.fromCodePoint(this.below(this.pick([0x80, 0x250, 0x3000, 0x11000, 0x20000, 0x110000]))),
      ),
    prose: (parts) => this.repeat(parts, () => `${this.pick(PROSE)} `),
    words: (parts) => this.repeat(parts, () => this.pick([' ', '\n', ', ', '']) + this.word(9)),
    code: (parts) =>
      this.repeat(parts, () => `${' '.repeat(this.below(9))}${this.word(8)}(${this.below(1e6)});\n`),
    json: (parts) => JSON.stringify(Array.from({ length: parts }, () => ({ [this.word(6)]: this.random() }))),
    base64: (parts) =>
      Buffer.from(Uint8Array.from({ length: parts * 3 }, () => this.below(256))).toString('base64'),
    runs: (parts) =>
      this.repeat(Math.ceil(parts / 8), () =>
        this.pick([...LETTERS, 'A', ...SEAMS]).repeat(1 + this.below(40)),
      ),
    fewLetters: (parts) => this.repeat(parts, () => this.pick(['a', 'b', 'ab', 'th'])),
  };

  private word(maxLetters: number): string {
    return this.repeat(1 + this.below(maxLetters), () => this.pick(LETTERS));
  }
}
