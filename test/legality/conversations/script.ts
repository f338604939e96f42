import fc from 'fast-check';

/** A conversation in no format: who says what, who calls which tools, and what comes back. */
export interface Script {
  readonly instructions: readonly string[];
  readonly turns: readonly Turn[];
  readonly ending: 'asked' | 'in_flight' | 'answered';
  /** Which of the ways in which a format may write the same thing. */
  readonly style: number;
  /** Ids of calls begin anew in every step, as some clients number them. */
  readonly areIdsReused: boolean;
}

export interface Turn {
  /** A system message that stands before the turn, where a format has such. */
  readonly interjection: string | undefined;
  readonly asked: readonly string[];
  readonly media: readonly Media[];
  readonly steps: readonly Step[];
  readonly answer: string | undefined;
}

/** What the model does at once: it thinks, says something, and calls tools, whose results follow. */
export interface Step {
  readonly thoughts: readonly string[];
  readonly said: string | undefined;
  readonly calls: readonly Call[];
  readonly areResultsReversed: boolean;
}

export interface Call {
  readonly name: string;
  readonly argument: string;
  readonly result: string;
  readonly resultKind: 'text' | 'parts' | 'media';
}

export interface Media {
  readonly kind: 'image' | 'document' | 'url';
  readonly base64: string;
}

const WORDS = [
  ...[
    'river ',
    'the crane, ',
    'delay. ',
    'Déjà vu ',
    '42 ',
    '\n',
    '  ',
    '中文',
    'مرحبا ',
    '😀',
    '👨‍👩‍👧 ',
    'e\u0301 ',
  ],
  ...['<|endoftext|>', '"quoted\\" ', '```js\nconst x = 1;\n``` ', '\u2028', '{"a": [1, 2]} ', "don't "],
];

/** Texts that are never blank: those that are make another request. */
const texts = fc
  .tuple(
    fc.constantFrom('Note: ', 'So ', '港口 ', '🧠 '),
    fc.oneof(
      { weight: 5, arbitrary: fc.array(fc.constantFrom(...WORDS), { maxLength: 10 }) },
      { weight: 2, arbitrary: fc.array(fc.constantFrom(...WORDS), { minLength: 30, maxLength: 90 }) },
    ),
  )
  .map(([first, words]) => first + words.join(''));

/** There or not, in a proportion. */
export function sometimes<Value>(
  value: fc.Arbitrary<Value>,
  there: number,
  not: number,
): fc.Arbitrary<Value | undefined> {
  return fc.oneof({ weight: not, arbitrary: fc.constant(undefined) }, { weight: there, arbitrary: value });
}

/** Every other file is attached again and again. */
function fileOf(bytes: Uint8Array): string {
  const isOwn = bytes.length % 2 === 0;
  return Buffer.from(isOwn ? bytes : 'The same file, wherever it is attached. '.repeat(2)).toString('base64');
}

const media: fc.Arbitrary<Media> = fc.record({
  kind: fc.constantFrom('image' as const, 'image' as const, 'document' as const, 'url' as const),
  base64: fc.uint8Array({ minLength: 1, maxLength: 90 }).map(fileOf),
});

const call: fc.Arbitrary<Call> = fc.record({
  name: fc.constantFrom('look_up', 'read_file'),
  argument: texts.map((text) => text.slice(0, 20).toWellFormed()),
  result: texts,
  resultKind: fc.constantFrom('text' as const, 'text' as const, 'parts' as const, 'media' as const),
});

const step: fc.Arbitrary<Step> = fc.record({
  thoughts: fc.array(texts, { maxLength: 2 }),
  said: sometimes(texts, 1, 1),
  calls: fc.array(call, { minLength: 1, maxLength: 3 }),
  areResultsReversed: fc.boolean(),
});

const turn: fc.Arbitrary<Turn> = fc.record({
  interjection: sometimes(texts, 1, 6),
  asked: fc.array(texts, { minLength: 1, maxLength: 2 }),
  media: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(media, { maxLength: 2 }) },
  ),
  steps: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 3, arbitrary: fc.array(step, { minLength: 1, maxLength: 3 }) },
  ),
  answer: fc.oneof({ weight: 6, arbitrary: texts }, { weight: 1, arbitrary: fc.constant(undefined) }),
});

export const scripts: fc.Arbitrary<Script> = fc.record({
  instructions: fc.array(texts, { maxLength: 3 }),
  turns: fc.array(turn, { minLength: 1, maxLength: 6 }),
  ending: fc.constantFrom('asked', 'asked', 'in_flight', 'answered'),
  style: fc.nat(11),
  areIdsReused: fc.boolean(),
});

/** The turns, the last of them as the script ends. */
export function turnsOf({ turns, ending }: Script): readonly Turn[] {
  const last = turns.at(-1) as Turn;
  const ended = {
    asked: { ...last, steps: [], answer: undefined },
    in_flight: { ...last, answer: undefined },
    answered: { ...last, answer: last.answer ?? 'Done.' },
  }[ending];
  return [...turns.slice(0, -1), ended];
}

/** Ids of calls, each another one unless they are to be used again in every step. */
export class CallIds {
  #count = 0;

  constructor(readonly areReused: boolean) {}

  /** Of the calls of one step. */
  next(calls: readonly Call[]): string[] {
    const first = this.areReused ? 0 : this.#count;
    this.#count += calls.length;
    return calls.map((_, index) => `call_${first + index}`);
  }
}

export function inOrder<Item>(items: readonly Item[], isReversed: boolean): Item[] {
  return isReversed ? [...items].reverse() : [...items];
}
