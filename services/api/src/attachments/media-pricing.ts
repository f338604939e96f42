import {
  type Accounting,
  type AccountingRules,
  type Gate,
  type MediaPricing,
  rulesForModel,
  type StatedMedia,
} from '@preflight/accounting';
import type { AttachmentFacts } from '@preflight/contracts';
import { type Attachment, type JsonObject, PreflightError, type Steps } from '@preflight/core';
import type { ConversationRequest } from '../requests/conversation-request.js';
import { AttachmentPlaces } from './attachment-places.js';
import { readStated } from './stated-media.js';

/** How attachments are counted where a request does not say, and the rules of providers. */
export interface PricingDefaults {
  readonly accounting: Accounting;
  readonly rules: AccountingRules;
}

/** The accounting of a request: as it asks, else the server's. */
export function accountingOf(body: JsonObject, { accounting }: PricingDefaults): Accounting {
  return (body.accounting as Accounting | undefined) ?? accounting;
}

export interface PricingOptions {
  readonly gate: Gate;
  /** Attachments that count beside the conversation; undefined where none may. */
  readonly beside?: readonly StatedMedia[];
  readonly defaults: PricingDefaults;
}

/**
 * How the attachments of a conversation are counted; undefined where it has none. Throws `invalid_request` for facts
 * about what is no attachment.
 */
export function* mediaPricing(
  body: JsonObject,
  read: ConversationRequest,
  model: string | undefined,
  { gate, beside, defaults }: PricingOptions,
): Steps<MediaPricing | undefined> {
  const attachments: Attachment[] = [];
  for (const [index, message] of read.conversation.messages.entries()) {
    if (index % 4096 === 4095) yield;
    attachments.push(...message.attachments);
  }
  const stated = statedInside(body, read, attachments, beside !== undefined);
  if (attachments.length === 0) return undefined;
  return {
    accounting: accountingOf(body, defaults),
    gate,
    rules: rulesForModel(defaults.rules.media, model, read.format.name),
    stated,
    imagesBeside: beside?.filter(({ kind }) => kind === 'image').length ?? 0,
  };
}

/** Facts about attachments of the conversation, by their number. */
function statedInside(
  body: JsonObject,
  read: ConversationRequest,
  attachments: readonly Attachment[],
  mayStandBeside: boolean,
): ReadonlyMap<number, StatedMedia> {
  const stated = new Map<number, StatedMedia>();
  if (!Array.isArray(body.attachments)) return stated;
  const list = body.attachments as unknown as readonly AttachmentFacts[];
  const places = new AttachmentPlaces(read, attachments);
  for (const [index, facts] of list.entries()) {
    const place = `/attachments/${index}`;
    if (facts.pointer === undefined && !mayStandBeside) throw pointerNeeded(place);
    if (facts.pointer === undefined) continue;
    stated.set(places.numberAt(facts.pointer, `${place}/pointer`), readStated(facts, place));
  }
  return stated;
}

function pointerNeeded(place: string): PreflightError {
  return new PreflightError('invalid_request', {
    publicDetail: 'Facts are stated of no attachment of the conversation.',
    issues: [{ pointer: `${place}/pointer`, detail: 'is needed where a conversation is to fit' }],
  });
}
