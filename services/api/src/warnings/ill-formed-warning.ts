import type { Warning } from '@preflight/contracts';
import { type Conversation, type Message, TextRange, type TextRef } from '@preflight/core';

/**
 * A warning where texts hold half of a surrogate pair, which no encoding of a provider has: it counts as U+FFFD, as which
 * most clients send it.
 */
export function illFormedWarning({ messages, instructions = [] }: Conversation): Warning[] {
  const found = messages.flatMap((message, index) => (textsOf(message).some(isIllFormed) ? [index] : []));
  const places = [
    ...(found.length > 0 ? [`texts of messages ${found.slice(0, 20).join(', ')}`] : []),
    ...(instructions.some(isIllFormed) ? ['instructions'] : []),
  ];
  return places.length === 0 ? [] : [warningAbout(places.join(' and '))];
}

/** The same of a text alone. */
export function illFormedTextWarning(text: TextRef): Warning[] {
  return isIllFormed(text) ? [warningAbout('the text')] : [];
}

function warningAbout(places: string): Warning {
  return {
    code: 'ill_formed_string',
    detail: `Half of a surrogate pair stands in ${places}. It counts as U+FFFD, as which most clients send it; providers may refuse it. \`POST /v1/check\` names every place, and mends it with \`repair\`.`,
  };
}

const NONE: readonly TextRef[] = [];

function textsOf({ texts, otherTexts = NONE, reasoning = NONE }: Message): readonly TextRef[] {
  return otherTexts.length + reasoning.length === 0 ? texts : [...texts, ...otherTexts, ...reasoning];
}

/** Long texts were looked at when they were read. */
function isIllFormed(text: TextRef): boolean {
  return text instanceof TextRange ? text.given !== undefined : !text.isWellFormed();
}
