import type { ListedMessage, ListedPart } from '../listed-message.js';
import { typeOfRole } from '../message-type.js';
import type { TrimOptions } from '../trim-options.js';

/** A message as a provider takes it, with texts, images and nothing else, and as it is listed. */
export interface SimpleMessage {
  readonly role: string;
  readonly content: string | readonly Part[];
  readonly listed: ListedMessage;
}

export type Part = { readonly type: 'text'; readonly text: string } | { readonly type: 'image_url' };

export function simpleMessage(role: string, content: string | readonly Part[]): SimpleMessage {
  const parts: ListedPart[] =
    typeof content === 'string'
      ? [{ json: content, type: 'text', text: content }]
      : content.map((part) => ({
          json: { ...part },
          type: part.type,
          ...(part.type === 'text' && { text: part.text }),
        }));
  const listed = { type: typeOfRole(role), role, parts, isArray: typeof content !== 'string' };
  return { role, content, listed };
}

/** The formula of langchain-trim.md, section 7, for these messages. */
export function approximateTokens({ role, content }: SimpleMessage): number {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content } as const] : content;
  const texts = parts.map((part) => (part.type === 'text' ? part.text : ''));
  const images = parts.filter(({ type }) => type === 'image_url').length;
  return Math.ceil([...(role + texts.join(''))].length / 4) + 3 + 85 * images;
}

interface Kept {
  readonly index: number;
  readonly message: SimpleMessage;
}

/** Sections 3 to 6 word for word: whole lists are counted, one message or piece more each time. */
export function referenceTrim(messages: readonly SimpleMessage[], options: TrimOptions): Kept[] {
  const all = messages.map((message, index) => ({ index, message }));
  if (options.strategy === 'first') return keepPrefix(all, options.maxTokens, options.endOn, options);
  const ended = withoutEdge(all, options.endOn);
  const system = options.includeSystem && ended[0]?.message.listed.type === 'system' ? ended.slice(0, 1) : [];
  const room = system.length > 0 ? Math.max(0, options.maxTokens - count(system)) : options.maxTokens;
  const rest = ended.slice(system.length).reverse();
  return [...system, ...keepPrefix(rest, room, options.startOn, options).reverse()];
}

function keepPrefix(
  list: readonly Kept[],
  budget: number,
  edge: TrimOptions['endOn'],
  options: TrimOptions,
): Kept[] {
  let kept: Kept[] = [];
  while (kept.length < list.length && count(list.slice(0, kept.length + 1)) <= budget)
    kept = list.slice(0, kept.length + 1);
  const next = list[kept.length];
  const partial = options.allowPartial && next ? shortened(next, kept, budget, options) : undefined;
  return withoutEdge(partial ? [...kept, partial] : kept, edge);
}

function shortened(
  { index, message }: Kept,
  kept: readonly Kept[],
  budget: number,
  { strategy, splitter }: TrimOptions,
): Kept | undefined {
  const copy = (content: string | readonly Part[]) => ({
    index,
    message: simpleMessage(message.role, content),
  });
  const isLast = strategy === 'last';
  let text = message.content;
  if (typeof text !== 'string') {
    for (let parts = text.length - 1; parts > 0; parts--) {
      const some = copy(isLast ? text.slice(text.length - parts) : text.slice(0, parts));
      if (count([...kept, some]) <= budget) return some;
    }
    const part = text.at(isLast ? -1 : 0);
    text = part?.type === 'text' ? part.text : '';
  }
  if (text === '') return undefined;
  const pieces =
    splitter === 'lines'
      ? text.split('\n').map((line, i, lines) => (i < lines.length - 1 ? `${line}\n` : line))
      : (text.match(/\S+\s*|\s+/g) ?? []);
  for (let number = pieces.length; number > 0; number--) {
    const some = copy((isLast ? pieces.slice(pieces.length - number) : pieces.slice(0, number)).join(''));
    if (count(kept) + count([some]) <= budget) return some;
  }
  return undefined;
}

function withoutEdge(kept: readonly Kept[], edge: TrimOptions['endOn']): Kept[] {
  const types = edge.map(typeOfRole);
  let end = kept.length;
  while (types.length > 0 && end > 0 && !types.includes((kept[end - 1] as Kept).message.listed.type))
    end -= 1;
  return kept.slice(0, end);
}

function count(kept: readonly Kept[]): number {
  return kept.reduce((sum, { message }) => sum + approximateTokens(message), 0);
}
