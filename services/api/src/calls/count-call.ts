import { rulesForModel, type StatedMedia } from '@preflight/accounting';
import { isAbsent, type Json, type JsonObject, PreflightError, type TextRef } from '@preflight/core';
import { FLAT_FIELDS } from '@preflight/formats';
import { Turn } from '@preflight/runtime';
import { okAnswer } from '../answers/answer.js';
import { countAnswer, textCountAnswer } from '../answers/count-answer.js';
import { besideFigures, statedBeside } from '../attachments/beside-conversation.js';
import { accountingOf } from '../attachments/media-pricing.js';
import { type AskedModel, askedModel, modelWarnings } from '../requests/asked-model.js';
import { readConversation, readList } from '../requests/conversation-request.js';
import { emptyJob, type ResolvedEncoding, resolveEncoding, textJob } from '../requests/job.js';
import { refuseOthers } from '../requests/list-job.js';
import { base64Warning } from '../warnings/base64-warning.js';
import { countWarnings } from '../warnings/count-warnings.js';
import { illFormedTextWarning, illFormedWarning } from '../warnings/ill-formed-warning.js';
import { pairWarnings } from '../warnings/pair-warnings.js';
import { providerStateWarning } from '../warnings/provider-state-warning.js';
import type { CountCall } from './call.js';
import type { CallSettings } from './call-settings.js';
import { countedConversation, withLearned } from './counted-conversation.js';

/**
 * What a checked body asks to be counted: a conversation, with attachments beside it that the caller states; these alone; one
 * text; or a list as langchain-core estimates it. Rejects with what is wrong with it.
 */
export async function readCountCall(body: JsonObject, settings: CallSettings): Promise<CountCall> {
  if (body.text !== undefined) return readText(body, settings);
  if (body.token_counter !== undefined) return readApproximate(body, settings);
  const stated = statedBeside(body, accountingOf(body, settings.pricing));
  if (hasConversation(body)) return readConversationCount(body, settings, stated);
  if (stated.length === 0) throw nothingToCount(body);
  return readStated(body, settings, stated);
}

async function readConversationCount(
  body: JsonObject,
  settings: CallSettings,
  stated: readonly StatedMedia[],
): Promise<CountCall> {
  const { models, pricing, maxMessages, onWarnings } = settings;
  const read = await new Turn().drive(readConversation(body, maxMessages));
  const { conversation, pointerPrefix } = read;
  const accounting = accountingOf(body, pricing);
  const model = askedModel(models, body, read.request);
  // What is counted is the best single number; nothing is gated by it.
  const job = await countedConversation(body, read, model, settings, { gate: 'point', beside: stated });
  return {
    kind: 'count',
    job,
    pointerPrefix,
    answer: async (result) => {
      const warnings = [
        ...modelWarnings(body, model, false),
        ...providerStateWarning(read),
        ...countWarnings(result, accounting),
        ...base64Warning(conversation.messages),
        ...(await new Turn().drive(illFormedWarning(conversation))),
        ...pairWarnings(result.ledger),
      ];
      onWarnings(body, warnings);
      const rules = rulesForModel(pricing.rules.media, job.model, read.format.name);
      const beside = besideFigures(stated, rules, result.attachments);
      const options = { accounting, warnings, beside, model: model.known?.model };
      return okAnswer(await countAnswer(conversation.messages, job, result, options));
    },
  };
}

/** Attachments alone, of which the caller states what they are. */
function readStated(
  body: JsonObject,
  { models, pricing }: CallSettings,
  stated: readonly StatedMedia[],
): CountCall {
  const model = askedModel(models, body, undefined);
  const resolved = encodingOf(body, model, pricing);
  const rules = rulesForModel(pricing.rules.media, model.name, body.format as string | undefined);
  const beside = besideFigures(stated, rules);
  return {
    kind: 'count',
    job: emptyJob(resolved),
    pointerPrefix: '',
    answer: async (result) => {
      const warnings = modelWarnings(body, model, false);
      const options = { accounting: 'provider', warnings, beside, model: model.known?.model } as const;
      return okAnswer(await countAnswer([], resolved, result, options));
    },
  };
}

async function readApproximate(body: JsonObject, { maxMessages }: CallSettings): Promise<CountCall> {
  refuseOthers(body, ['token_counter']);
  const { messages, pointerPrefix } = await new Turn().drive(readList(body, maxMessages));
  const options = { accounting: 'payload', warnings: [] } as const;
  return {
    kind: 'count',
    job: { messages, counter: { kind: 'approximate' } },
    pointerPrefix,
    answer: async (result) => okAnswer(await countAnswer(messages, { isExact: false }, result, options)),
  };
}

async function readText(body: JsonObject, settings: CallSettings): Promise<CountCall> {
  const beside = ['request', 'token_counter', 'attachments', ...FLAT_FIELDS].filter(
    (name) => !isAbsent(body[name]),
  );
  if (beside.length > 0)
    throw new PreflightError('invalid_request', {
      publicDetail: 'A text is counted alone: nothing else to be counted may stand beside it.',
      issues: beside.map((name) => ({ pointer: `/${name}`, detail: 'must not stand beside `text`' })),
    });
  const { models, pricing, calibrations } = settings;
  const text = body.text as TextRef;
  const model = askedModel(models, body, undefined);
  const resolved = await withLearned(encodingOf(body, model, pricing), model, calibrations);
  return {
    kind: 'count',
    job: textJob(text, resolved),
    pointerPrefix: '',
    answer: async (result) => {
      const warnings = [
        ...modelWarnings(body, model, false),
        ...(await new Turn().drive(illFormedTextWarning(text))),
      ];
      return okAnswer(textCountAnswer(resolved, result, { warnings, model: model.known?.model }));
    },
  };
}

function encodingOf(
  { encoding }: JsonObject,
  model: AskedModel,
  { rules }: CallSettings['pricing'],
): ResolvedEncoding {
  return resolveEncoding(model, encoding as string | undefined, { rules });
}

/** Whether a checked body has a request in it, nested or flat. */
function hasConversation(body: JsonObject): boolean {
  return ['request', ...FLAT_FIELDS].some((name) => !isAbsent(body[name]));
}

/** What is missing in a checked body that has nothing to be counted. */
function nothingToCount({ attachments }: JsonObject): PreflightError {
  const [first] = (attachments ?? []) as readonly Json[];
  const issue =
    attachments === undefined
      ? { pointer: '/messages', detail: 'is missing, and so are /request, /text and /attachments' }
      : first === undefined
        ? { pointer: '/attachments', detail: 'is empty, and there is no conversation' }
        : { pointer: '/attachments/0/pointer', detail: 'points into a conversation, and there is none' };
  return new PreflightError('invalid_request', {
    publicDetail:
      "There is nothing to count: give `messages`, the provider's request under `request`, a `text`, or `attachments` with what is known of them.",
    issues: [issue],
  });
}
