/** What a provider refuses, and where that is known from. */
export const RULES = {
  ill_formed_string: 'design.md §5.9, formats.md §7.6: strings are well formed',
  missing_field: 'types of the client: a field without a question mark (`max_tokens` of Anthropic)',
  no_messages: 'formats.md §7.5: an empty body is not fine',
  unknown_role: 'formats.md §1, §2: roles of each surface',
  misplaced_media: 'formats.md §1: media where the surface takes them',
  misplaced_part: 'formats.md §2: calls are the model’s, results are what comes back',
  malformed: 'formats.md §1: parts as the surface writes them',
  empty_content: 'issue 5: empty contents are refused, and so are absent ones',
  result_without_call:
    'formats.md §3: `must be a response to a preceeding message`, `No tool call found`, `unexpected`',
  call_without_result:
    'formats.md §3: `did not have response messages`, `No tool output found`, `immediately after`',
  reused_call_id: 'langchain-trim.md §10.7: an id used by two open calls',
  results_split: 'formats.md §3, Anthropic: all results of one assistant turn in one user message',
  results_behind_text: 'formats.md §3, Anthropic: results before any text',
  reasoning_alone: 'formats.md §3, Responses: `without its required`',
  unsigned_thinking: 'formats.md §3, Anthropic: `Invalid `signature``',
  prefill: 'formats.md §3, Anthropic: last message assistant on 4.6 and later',
  misplaced_system: 'formats.md §3, Anthropic: system not first, never between call and result',
  response_count: 'formats.md §3, Gemini: `number of function response parts`',
  call_turn_order: 'formats.md §3, Gemini: `function call turn comes immediately after`',
  missing_signature: 'formats.md §3, Gemini 3: `missing a thought_signature`',
  starts_with_user: 'formats.md §3, Converse: starts with user',
  document_alone: 'formats.md §3, Converse: a document has a text sibling',
  too_many_media: 'formats.md §5: counts',
  item_too_large: 'formats.md §5: per item',
  body_too_large: 'formats.md §5: whole body',
  /** Advice: taken by the provider itself, refused by some gateways, so that no trim may be the first to do it. */
  roles_alternate: 'formats.md §3: emit alternating roles for Anthropic and Converse anyway',
} as const;

export type Rule = keyof typeof RULES;

export interface Violation {
  readonly rule: Rule;
  /** Where, as a JSON pointer of the provider's request. */
  readonly pointer: string;
}

/** What only some gateways refuse. */
export const ADVICE: ReadonlySet<Rule> = new Set(['roles_alternate']);

/** A provider's request, and the model that it goes to, which stands beside it on some surfaces. */
export type Check = (request: Record<string, unknown>, model: string) => Violation[];
