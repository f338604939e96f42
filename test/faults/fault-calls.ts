import { mixed, randomNumbers, seededBytes, TEXT_KINDS } from '../harness/seeded-texts.js';

export interface FaultCall {
  readonly path: '/v1/preflight' | '/v1/count';
  readonly payload: object;
}

const user = (content: unknown) => ({ role: 'user', content });
const image = (data: string) => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${data}` },
});
const base64 = (bytes: Buffer) => bytes.toString('base64');

/** Texts that make careless counters slow, wrong or dead. */
const HOSTILE: readonly ((characters: number) => string)[] = [
  (characters) => 'a'.repeat(characters),
  (characters) => ' '.repeat(characters),
  (characters) => '\ud83d'.repeat(characters),
  (characters) => base64(Buffer.alloc(characters)),
  (characters) => '\u0000\\"'.repeat(characters / 3),
  (characters) => '<|endoftext|>'.repeat(characters / 13),
];

/** By a number from 0 to 1: mostly small, some long, some cut or refused, some hostile, some with attachments. */
const KINDS: readonly { readonly upTo: number; make(seed: number): FaultCall }[] = [
  {
    upTo: 0.5,
    make: (seed) => ({
      path: '/v1/preflight',
      payload: { model: 'gpt-4o', messages: [user(mixed(300, seed)), user(mixed(900, seed + 1))] },
    }),
  },
  {
    upTo: 0.65,
    make: (seed) => ({
      path: '/v1/count',
      payload: { encoding: 'cl100k_base', text: mixed(20_000, seed) },
    }),
  },
  {
    upTo: 0.75,
    make: (seed) => ({
      path: '/v1/preflight',
      payload: {
        encoding: 'o200k_base',
        context_window: 3_000,
        max_output_tokens: 100,
        return: 'conversation',
        messages: [user(TEXT_KINDS.prose?.(20_000, seed)), user(mixed(3_000, seed)), user('And?')],
      },
    }),
  },
  {
    upTo: 0.82,
    make: (seed) => ({
      path: '/v1/preflight',
      payload: { encoding: 'o200k_base', context_window: 40, messages: [user(mixed(2_000, seed))] },
    }),
  },
  {
    upTo: 0.92,
    make: (seed) => {
      const text = (HOSTILE[seed % HOSTILE.length] as (typeof HOSTILE)[0])(2_000 + (seed % 40_000));
      return { path: '/v1/count', payload: { encoding: 'o200k_base', text } };
    },
  },
  {
    upTo: 1,
    make: (seed) => ({
      path: '/v1/preflight',
      payload: {
        encoding: 'o200k_base',
        context_window: 2_000_000,
        messages: [user([{ type: 'text', text: 'see' }, image(base64(seededBytes(60_000, seed)))])],
      },
    }),
  },
];

/** So many different calls, the same for the same seed. */
export function faultCalls(count: number, seed: number): FaultCall[] {
  const random = randomNumbers(seed);
  return Array.from({ length: count }, () => {
    const roll = random();
    const kind = KINDS.find(({ upTo }) => roll <= upTo) as (typeof KINDS)[0];
    return kind.make(Math.floor(random() * 2 ** 30));
  });
}
