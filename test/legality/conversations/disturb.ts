import fc from 'fast-check';
import { isPlain, listOf, type Plain } from '../checkers/index.js';
import type { Rendering } from './rendering.js';

/** What happens to histories on the way: lost, doubled and swapped messages, odd roles, empty contents, broken texts. */
const KINDS = [
  'omit_message',
  'repeat_message',
  'swap_messages',
  'omit_part',
  'swap_parts',
  'odd_role',
  'empty_content',
  'half_an_emoji',
  'signatures_lost',
  'only_the_end',
  'content_lost',
] as const;

export interface Disturbance {
  readonly kind: (typeof KINDS)[number];
  readonly at: number;
  readonly part: number;
}

export const disturbances: fc.Arbitrary<Disturbance> = fc.record({
  kind: fc.constantFrom(...KINDS),
  at: fc.nat(40),
  part: fc.nat(5),
});

/** The request after that; often, but not always, one that its provider refuses. */
export function disturb(
  request: Plain,
  { list, content }: Pick<Rendering, 'list' | 'content'>,
  { kind, at, part }: Disturbance,
): Plain {
  const messages = [...listOf(request[list])] as Plain[];
  const index = at % messages.length;
  const message = messages[index] as Plain;
  const changed = (): Plain[] => {
    if (kind === 'omit_message') return messages.toSpliced(index, messages.length > 1 ? 1 : 0);
    if (kind === 'repeat_message') return messages.toSpliced(index, 0, message);
    if (kind === 'only_the_end') return messages.slice(index);
    if (kind === 'swap_messages') return swapped(messages, index);
    if (kind === 'odd_role') return messages.with(index, withRole(message));
    if (kind === 'signatures_lost') return messages.map((one) => withoutSignatures(one) as Plain);
    if (kind === 'content_lost')
      return messages.with(index, withoutContent(message, [content, 'parts', 'output']));
    if (kind === 'half_an_emoji') return messages.with(index, withHalfEmoji(message) as Plain);
    return messages.with(
      index,
      withContent(message, [content, 'parts'], (parts) => changedParts(parts)),
    );
  };
  const changedParts = (parts: readonly unknown[]): unknown[] => {
    const place = part % Math.max(1, parts.length);
    if (kind === 'empty_content') return [];
    return kind === 'omit_part' ? parts.toSpliced(place, 1) : swapped(parts, place);
  };
  return { ...request, [list]: changed() };
}

function swapped<Item>(items: readonly Item[], index: number): Item[] {
  const next = (index + 1) % Math.max(1, items.length);
  return items.map((item, i) => (i === index ? items[next] : i === next ? items[index] : item) as Item);
}

function withRole(message: Plain): Plain {
  if (isPlain(message.data)) return { ...message, type: 'critic' };
  if (isPlain(message.kwargs)) return { ...message, id: ['langchain_core', 'messages', 'CriticMessage'] };
  return { ...message, role: 'critic' };
}

/** Changes the list of parts, wherever the format has it; a string becomes the empty one. */
function withContent(
  message: Plain,
  fields: readonly string[],
  change: (parts: readonly unknown[]) => unknown[],
): Plain {
  for (const inner of ['data', 'kwargs'])
    if (isPlain(message[inner]))
      return { ...message, [inner]: withContent(message[inner] as Plain, fields, change) };
  const field = fields.find((name) => message[name] !== undefined);
  if (field === undefined) return message;
  const value = message[field];
  return { ...message, [field]: Array.isArray(value) ? change(value) : '' };
}

/** As clients write it that know no content beside calls. */
function withoutContent(message: Plain, fields: readonly string[]): Plain {
  for (const inner of ['data', 'kwargs'])
    if (isPlain(message[inner]))
      return { ...message, [inner]: withoutContent(message[inner] as Plain, fields) };
  return Object.fromEntries(Object.entries(message).filter(([name]) => !fields.includes(name)));
}

/** The first text in it ends in the middle of an emoji. */
function withHalfEmoji(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? value : [withHalfEmoji(value[0]), ...value.slice(1)];
  if (!isPlain(value)) return value;
  const field = ['text', 'content', 'output', 'parts', 'data', 'kwargs'].find((name) => value[name] != null);
  if (field === undefined) return value;
  const inner = value[field];
  return { ...value, [field]: typeof inner === 'string' ? `${inner}\ud83d` : withHalfEmoji(inner) };
}

/** As gateways that know no thinking pass it on. */
function withoutSignatures(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSignatures);
  if (!isPlain(value)) return value;
  const left = Object.entries(value).filter(([name]) => name !== 'signature' && name !== 'thoughtSignature');
  return Object.fromEntries(left.map(([name, member]) => [name, withoutSignatures(member)]));
}
