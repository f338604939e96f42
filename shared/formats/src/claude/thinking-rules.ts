/** What a model does with the thinking of earlier turns (formats.md §3). */
export interface ThinkingRule {
  /** A thinking block is valid only behind exactly what stood before it when it was made. */
  readonly isBoundToPrefix: boolean;
  /** Thinking of earlier turns counts as input; other models leave it out by themselves. */
  readonly areEarlierTurnsCounted: boolean;
}

interface DatedRule extends ThinkingRule {
  readonly family: RegExp;
  /** From this version of the family on. */
  readonly since: number;
  readonly source: string;
  readonly date: string;
}

const SOURCE = 'platform.claude.com/docs/en/build-with-claude/thinking';

/** The first that fits a model holds. Announced for all models after Fable 5.1 is that they bind thinking as it does. */
const RULES: readonly DatedRule[] = [
  {
    family: /fable|mythos/,
    since: 5.1,
    isBoundToPrefix: true,
    areEarlierTurnsCounted: true,
    source: SOURCE,
    date: '2026-11',
  },
  {
    family: /fable|mythos/,
    since: 0,
    isBoundToPrefix: false,
    areEarlierTurnsCounted: true,
    source: SOURCE,
    date: '2026-11',
  },
  {
    family: /opus/,
    since: 4.5,
    isBoundToPrefix: false,
    areEarlierTurnsCounted: true,
    source: SOURCE,
    date: '2026-11',
  },
  {
    family: /sonnet|haiku/,
    since: 4.6,
    isBoundToPrefix: false,
    areEarlierTurnsCounted: true,
    source: SOURCE,
    date: '2026-11',
  },
  {
    family: /opus|sonnet|haiku/,
    since: 0,
    isBoundToPrefix: false,
    areEarlierTurnsCounted: false,
    source: SOURCE,
    date: '2026-11',
  },
];

/** Of a model that nothing is known of all thinking counts, which is an upper bound. */
const UNKNOWN: ThinkingRule = { isBoundToPrefix: false, areEarlierTurnsCounted: true };

/** The version behind the family (`claude-opus-4-5-20251101`), or before it as in older names (`claude-3-5-haiku`). */
const VERSION =
  /(?:opus|sonnet|haiku|fable|mythos)-(\d+)(?:[-.](\d{1,2}))?(?!\d)|(\d+)(?:[-.](\d))?-(?:opus|sonnet|haiku)/;

/** The rule of a model's thinking, by its name as any cloud writes it. */
export function thinkingRuleOf(model: string | undefined): ThinkingRule {
  const name = model?.toLowerCase() ?? '';
  const [, major, minor, olderMajor, olderMinor] = VERSION.exec(name) ?? [];
  if (major === undefined && olderMajor === undefined) return UNKNOWN;
  const version = Number(`${major ?? olderMajor}.${minor ?? olderMinor ?? 0}`);
  return RULES.find(({ family, since }) => family.test(name) && version >= since) ?? UNKNOWN;
}
