import { type OverheadRule, RULES_VERSION, TOKEN_KINDS, type TokenKind } from '@preflight/accounting';
import type { CountJob, CountResponse, CountResult } from '@preflight/contracts';
import { overheadPart, overheadRuleOf } from './totals.js';

/** Tokens by kind, of those that there are. */
type Kinds = Partial<Record<TokenKind, number>>;

/** What tokens are made of beside own text and attachments, in one pass: messages have to be asked for in their order. */
export class Breakdown {
  #at = 0;

  constructor(
    private readonly kinds: CountResult['kinds'],
    private readonly ledger: CountResult['ledger'],
  ) {}

  /** Of a message, if there is more than formatting. */
  ofMessage(index: number): Kinds | undefined {
    return this.kinds[this.#at] === index
      ? this.#read(index, this.ledger.otherTokens[index] as number)
      : undefined;
  }

  /** Of the request; what stands behind all messages. */
  ofRequest(): Kinds {
    while (this.#at < this.kinds.length && this.kinds[this.#at] !== OF_REQUEST) this.#at += 3;
    return this.#read(OF_REQUEST, this.ledger.requestOverheadTokens);
  }

  #read(index: number, allTokens: number): Kinds {
    const read: Kinds = {};
    let formattingTokens = allTokens;
    for (; this.kinds[this.#at] === index; this.#at += 3) {
      const kind = TOKEN_KINDS[this.kinds[this.#at + 1] as number] as TokenKind;
      const tokens = this.kinds[this.#at + 2] as number;
      read[kind] = (read[kind] ?? 0) + tokens;
      if (kind !== 'tool_results') formattingTokens -= tokens;
    }
    return formattingTokens === 0 ? read : { formatting: formattingTokens, ...read };
  }
}

/** In place of a message, of what belongs to none (`CountResult`). */
const OF_REQUEST = -1;

/** How the overhead of a request was told, if it was counted. */
export function overheadOf(
  job: Partial<Pick<CountJob, 'count' | 'family' | 'model' | 'overheadRule'>> & { readonly isExact: boolean },
  result: Pick<CountResult, 'ledger' | 'kinds' | 'estimate'>,
  breakdown: Breakdown,
): Pick<CountResponse, 'overhead'> {
  if (job.count !== 'request') return {};
  const { id, date, toolSchemas } = overheadRuleOf(job);
  const { tokens, low, high, basis } = overheadPart(job, result);
  const kinds = breakdown.ofRequest();
  return {
    overhead: {
      ...{ tokens, low, high, basis: basis as OverheadRule['basis'] },
      ...{ rule: id, rule_date: date },
      ...(kinds.tools !== undefined && {
        tool_schemas: { rule: toolSchemas.kind, rule_date: toolSchemas.date },
      }),
      rules_version: RULES_VERSION,
      kinds,
    },
  };
}
