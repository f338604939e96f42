import fc from 'fast-check';
import type { RoleOfType } from '../message-type.js';
import type { TrimOptions } from '../trim-options.js';
import { type Part, type SimpleMessage, simpleMessage } from './reference-trim.js';

const text = fc.oneof(
  fc.constantFrom(
    '',
    'one',
    'a line\nand another\n',
    '\n\n',
    '\u4f60\u597d \ud83d\udc4b\nx',
    'w '.repeat(40),
  ),
  fc.string({ unit: fc.constantFrom('a', '\u00e9', ' ', '\n', '\ud83d\udc4b'), maxLength: 40 }),
);

const part: fc.Arbitrary<Part> = fc.oneof(
  { weight: 3, arbitrary: text.map((it) => ({ type: 'text', text: it }) as const) },
  fc.constant({ type: 'image_url' } as const),
);

/** Lists of up to a dozen messages. */
export const lists: fc.Arbitrary<SimpleMessage[]> = fc.array(
  fc
    .tuple(
      fc.constantFrom('user', 'assistant', 'tool', 'system', 'developer'),
      fc.oneof({ weight: 2, arbitrary: text }, fc.array(part, { maxLength: 4 })),
    )
    .map(([role, content]) => simpleMessage(role, content)),
  { maxLength: 12 },
);

const edge: fc.Arbitrary<RoleOfType[]> = fc.constantFrom([], [], ['user'], ['human', 'tool'], ['ai']);

/** Options that go together. */
export const trimOptions: fc.Arbitrary<TrimOptions> = fc
  .record({
    maxTokens: fc.oneof(fc.integer({ min: -5, max: 20 }), fc.nat(250)),
    strategy: fc.constantFrom('first', 'last', 'last'),
    allowPartial: fc.boolean(),
    endOn: edge,
    startOn: edge,
    includeSystem: fc.boolean(),
    splitter: fc.constantFrom('lines', 'words'),
  })
  .map((options) =>
    options.strategy === 'first' ? { ...options, startOn: [], includeSystem: false } : options,
  );
