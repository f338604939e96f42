import {
  conditionsOfDetail,
  type Figure,
  gatedTokens,
  type MediaConditions,
  type MediaFigure,
  type MediaPricing,
  providerFigure,
  roughPayload,
} from '@preflight/accounting';
import {
  estimatedTokens,
  type MediaFacts,
  type MediaKind,
  type MediaPart,
  type TextEstimate,
  type UnreadableReason,
} from '@preflight/core';
import type { Turn } from '@preflight/runtime';
import { NOT_COUNTED, type PlannedAttachment } from './plan-attachment.js';

/** An attachment of which all is known but what its text counts. Numbers and words of ours, so that it travels. */
export interface PricedAttachment {
  readonly message: number;
  readonly kind: MediaKind | null;
  /** What the provider makes of it; absent for what counts as its text by either accounting. */
  readonly provider?: MediaFigure;
  /** Why it cannot be read as what it is said to be. */
  readonly unreadable?: UnreadableReason;
  /** Position of its text in the list of countables, or what is thought of a text that is not counted. */
  readonly payload: number | Figure;
}

/** The attachments of a conversation with what the provider makes of them. `facts` are in their order. */
export async function priceAttachments(
  planned: readonly PlannedAttachment[],
  facts: readonly MediaFacts[],
  { pricing, estimate }: { readonly pricing: MediaPricing; readonly estimate: TextEstimate | undefined },
  turn: Turn,
): Promise<PricedAttachment[]> {
  const known = planned.map(
    (_, i) => pricing.stated.get(i)?.facts ?? inOwnTokens(facts[i] as MediaFacts, estimate),
  );
  const images = known.filter((each) => kindOf(each) === 'image').length;
  const imageCount = images + pricing.imagesBeside;
  const priced: PricedAttachment[] = [];
  for (const [i, attachment] of planned.entries()) {
    if (i % 256 === 0) await turn.breathe();
    const { message, countable, payloadBytes, media } = attachment;
    const payload = countable === NOT_COUNTED ? roughPayload(payloadBytes) : countable;
    if (media === undefined) priced.push({ message, kind: null, payload });
    else {
      const ofFile = known[i] as MediaFacts;
      const conditions = {
        ...conditionsOf(attachment, media),
        imageCount,
        ...pricing.stated.get(i)?.conditions,
      };
      const provider = providerFigure(ofFile, pricing.rules, conditions);
      const reason = attachment.unreadable ?? (ofFile.kind === 'unreadable' ? ofFile.reason : undefined);
      priced.push({
        message,
        kind: kindOf(ofFile) ?? null,
        provider,
        ...(reason && { unreadable: reason }),
        payload,
      });
    }
  }
  return priced;
}

/** Tokens of attachments that count without their texts, a number for each message. */
export function pricedColumn(
  priced: readonly PricedAttachment[],
  messageCount: number,
  { accounting, gate }: MediaPricing,
): Int32Array | undefined {
  if (accounting !== 'provider') return undefined;
  const tokens = new Int32Array(messageCount);
  for (const { message, provider } of priced)
    if (provider !== undefined)
      tokens[message] = Math.min(MOST_TOKENS, (tokens[message] as number) + gatedTokens(provider, gate));
  return tokens;
}

/** Sums of a conversation stay numbers of 32 bits. */
const MOST_TOKENS = 1_000_000_000;

function kindOf(facts: MediaFacts): MediaKind | undefined {
  return facts.kind === 'unreadable' ? facts.as : facts.kind;
}

function conditionsOf({ role }: PlannedAttachment, { detail }: MediaPart): MediaConditions {
  return { role, ...conditionsOfDetail(detail) };
}

/** Texts in files are of many kinds; most are prose. */
function inOwnTokens(facts: MediaFacts, estimate: TextEstimate | undefined): MediaFacts {
  if (estimate === undefined || !('textTokens' in facts) || facts.textTokens === undefined) return facts;
  return { ...facts, textTokens: estimatedTokens(estimate, 'prose', facts.textTokens) };
}
