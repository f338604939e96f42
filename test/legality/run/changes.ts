import { isDeepStrictEqual } from 'node:util';
import { type Plain, placed } from '../checkers/index.js';
import { isPlain } from '../checkers/plain.js';
import { RENDERINGS, TRACE } from '../conversations/index.js';
import { entriesOf, isAsked } from './entries.js';
import type { Fault, Judged } from './judge.js';

/** What a trim may not do, seen only beside the request that it was made from (formats.md §3, §7). */
export function changeFaults({ format, model, request, fitted, asked }: Omit<Judged, 'recount'>): Fault[] {
  const list = RENDERINGS[format]?.list ?? 'messages';
  const given = entriesOf(request, list);
  const left = entriesOf(fitted.conversation, list);
  const traces = left.map((entry) => entry[TRACE] as number);
  const faults: Fault[] = [];
  const fault = (law: string, detail: string | number) => faults.push({ law, detail: String(detail) });

  const isOrdered = traces.every((trace, index) => index === 0 || trace > (traces[index - 1] as number));
  if (!isOrdered) fault('messages in input order, none twice', traces.join(' '));

  const { [list]: _, ...outside } = request;
  const { [list]: __, ...outsideLeft } = fitted.conversation;
  const dropsInvalid = dropsInvalidThinking(outsideLeft);
  if (!isDeepStrictEqual(withoutBinding(outside), withoutBinding(outsideLeft)))
    fault('instructions and tools are kept', '');

  const kept = new Set(traces);
  const newest = given.findLastIndex(isAsked);
  if (newest !== -1 && !kept.has(newest) && !asked?.mayLoseNewest)
    fault('the newest user message is kept', newest);

  for (let index = 0; index + 1 < given.length; index++)
    if (given[index]?.type === 'reasoning' && kept.has(index) !== kept.has(index + 1))
      if (kept.has(index) || given[index + 1]?.role !== 'user') fault('reasoning keeps its follower', index);

  const isBound = /fable/.test(model);
  const underWayFrom = given.findLastIndex((entry) => isAsked(entry) && !holdsResults(entry));
  const changedAt = given.findIndex((entry, index) => !isDeepStrictEqual(entry, left[traces.indexOf(index)]));
  for (const [index, entry] of given.entries()) {
    const after = left[traces.indexOf(index)];
    const thoughts = thinkingOf(entry);
    if (after === undefined || thoughts.length === 0) continue;
    const thoughtsLeft = thinkingOf(after);
    const isInvalid = isBound && changedAt !== -1 && changedAt < index && thoughtsLeft.length > 0;
    if (isInvalid && !(dropsInvalid && (index > underWayFrom || isAllThinking(entry))))
      fault('bound thinking goes when what is before it changes', index);
    if (index > newest && !isDeepStrictEqual(thoughts, thoughtsLeft))
      fault('thinking of the turn under way is kept', index);
  }
  return faults;
}

/** The provider is told to drop thinking whose prefix has changed (formats.md §3). */
function dropsInvalidThinking({ thinking }: Plain): boolean {
  return (
    isPlain(thinking) && isDeepStrictEqual(thinking.block_binding, { prefix_mismatch_behavior: 'drop_block' })
  );
}

function withoutBinding(outside: Plain): Plain {
  if (!dropsInvalidThinking(outside)) return outside;
  const { block_binding: _, ...thinking } = outside.thinking as Plain;
  return { ...outside, thinking };
}

/** What is asked beside the results of a turn does not end it. */
function holdsResults(entry: Plain): boolean {
  return placed(entry.content, '').some(({ value }) => value.type === 'tool_result');
}

function isAllThinking(entry: Plain): boolean {
  return thinkingOf(entry).length === placed(entry.content, '').length;
}

/** Thinking blocks of Anthropic, whose signatures bind them. */
function thinkingOf({ content }: Plain): Plain[] {
  return placed(content, '')
    .map(({ value }) => value)
    .filter(({ type }) => type === 'thinking' || type === 'redacted_thinking');
}
