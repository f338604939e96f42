import type { JsonRule } from './overhead-rules.js';

interface DatedInstructions extends Pick<JsonRule, 'instructionTokens' | 'forcedInstructionTokens'> {
  readonly models: RegExp;
}

/** Of the platform's pages on tool use, July 2026; revised before (accounting.md §2, Anthropic tools). */
const INSTRUCTIONS: readonly DatedInstructions[] = [
  { models: /opus-4-8/, instructionTokens: 290, forcedInstructionTokens: 410 },
  { models: /opus-4-7/, instructionTokens: 675, forcedInstructionTokens: 804 },
  { models: /(?:opus|sonnet)-4-6/, instructionTokens: 497, forcedInstructionTokens: 589 },
  { models: /(?:opus|sonnet|haiku)-4-5/, instructionTokens: 496, forcedInstructionTokens: 588 },
  { models: /opus-4-1|(?:opus|sonnet)-4(?!-[1-9]\b)/, instructionTokens: 313, forcedInstructionTokens: 315 },
  { models: /sonnet-5(?!-[1-9]\b)/, instructionTokens: 354, forcedInstructionTokens: 474 },
  { models: /3-5-haiku|haiku-3-5/, instructionTokens: 264, forcedInstructionTokens: 355 },
  // Others are in no table: the largest of their family, or of all.
  { models: /sonnet/, instructionTokens: 497, forcedInstructionTokens: 589 },
  { models: /haiku/, instructionTokens: 496, forcedInstructionTokens: 588 },
  { models: /(?:)/, instructionTokens: 675, forcedInstructionTokens: 804 },
];

/** What Anthropic says to a model about its tools, unseen by callers, in tokens. */
export function claudeToolInstructions(
  model: string,
): Pick<JsonRule, 'instructionTokens' | 'forcedInstructionTokens'> {
  const name = model.toLowerCase().replaceAll('.', '-');
  const { instructionTokens, forcedInstructionTokens } = INSTRUCTIONS.find(({ models }) =>
    models.test(name),
  ) as DatedInstructions;
  return { instructionTokens, forcedInstructionTokens };
}
