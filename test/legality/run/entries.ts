import { either, isPlain, listOf, type Plain, placed } from '../checkers/index.js';

/** The entries of the list in which a format has its messages. */
export function entriesOf(request: Plain, list: string): readonly Plain[] {
  return listOf(request[list]) as readonly Plain[];
}

/** Something that the user asks, and not only what tools gave back. */
export function isAsked(entry: Plain): boolean {
  const fields = [entry.data, entry.kwargs].find(isPlain) ?? entry;
  const parts = placed(fields.content ?? fields.parts, '').map(({ value }) => value);
  return speaks(entry, ['user', 'human', 'HumanMessage']) && (parts.length === 0 || !parts.every(isResult));
}

export function isInstruction(entry: Plain): boolean {
  return speaks(entry, ['system', 'developer', 'SystemMessage']);
}

/** Whoever a message is from, in the word of its format. */
function speaks({ role, type, id }: Plain, words: readonly string[]): boolean {
  return [role, type, Array.isArray(id) ? id.at(-1) : undefined].some((word) =>
    words.includes(word as string),
  );
}

function isResult(part: Plain): boolean {
  return part.type === 'tool_result' || isPlain(part.toolResult) || isPlain(either(part, 'functionResponse'));
}
