/** How well a pattern holds for a name. */
export interface PatternMatch {
  /** The name is what the pattern names, or a dated snapshot of it; otherwise a variant of it that may differ. */
  readonly isNamed: boolean;
  /** Characters of the name that the pattern spells out: of several patterns the most specific counts. */
  readonly literalCharacters: number;
}

/** What providers append to a name for the same model: dates, versions, `latest`, `preview`. */
const SNAPSHOT = /^(?:[-@]\d{4}-\d{2}-\d{2}|[-@]\d{3,8}|-latest|-preview|-exp|-v\d+(?::\d+)?)*$/;

/**
 * Whether a pattern such as `gpt-4o`, `claude-*-4-5` or `gemini-3*` holds for a name of `plainModelName`. A `*` inside
 * stands for one word, one at the end for anything. Without it, variants of the name are matched too: `gpt-4o-2024-08-06`.
 */
export function matchPattern(pattern: string, name: string): PatternMatch | undefined {
  const { whole, front, literalCharacters } = compiled(pattern);
  if (whole.test(name)) return { isNamed: true, literalCharacters };
  const suffix = front?.exec(name)?.groups?.suffix;
  return suffix === undefined ? undefined : { isNamed: SNAPSHOT.test(suffix), literalCharacters };
}

interface Compiled {
  readonly whole: RegExp;
  readonly front: RegExp | undefined;
  readonly literalCharacters: number;
}

const known = new Map<string, Compiled>();

/** Patterns are those of the rules, so that there are not many. */
function compiled(pattern: string): Compiled {
  const found = known.get(pattern);
  if (found) return found;
  const isOpen = pattern.endsWith('*');
  const spelled = isOpen ? pattern.slice(0, -1) : pattern;
  const source = spelled
    .split('*')
    .map((literal) => literal.replace(/[^\w-]/g, '\\$&'))
    .join('[^-]+');
  const made: Compiled = {
    whole: new RegExp(`^${source}${isOpen ? '.*' : ''}$`, 's'),
    front: isOpen ? undefined : new RegExp(`^${source}(?<suffix>[-@:].*)$`, 's'),
    literalCharacters: pattern.replaceAll('*', '').length,
  };
  known.set(pattern, made);
  return made;
}

/** No model's name is longer; of longer ones the end is not looked at. */
const MAX_NAME_LENGTH = 200;

/**
 * A model's name as rules spell it: in lower case, without the maker's or gateway's prefix (`openrouter/openai/gpt-4o`,
 * `us.anthropic.claude-…`) and without what a fine-tune adds (`ft:gpt-4o:acme`); Claude's versions with hyphens.
 */
export function plainModelName(model: string): string {
  const lower = model.slice(0, MAX_NAME_LENGTH).trim().toLowerCase();
  const name = lower.slice(lower.lastIndexOf('/') + 1);
  if (name.startsWith('ft:')) return name.split(':')[1] ?? '';
  const claude = name.lastIndexOf('claude');
  if (claude >= 0) return name.slice(claude).replaceAll('.', '-');
  return name;
}
