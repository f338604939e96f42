import type { CountJob } from '@preflight/contracts';
import type { JsonObject } from '@preflight/core';
import { Turn } from '@preflight/runtime';
import { mediaPricing, type PricingOptions } from '../attachments/media-pricing.js';
import type { AskedModel } from '../requests/asked-model.js';
import type { ConversationRequest } from '../requests/conversation-request.js';
import { countJob, type ResolvedEncoding } from '../requests/job.js';
import type { CallSettings } from './call-settings.js';

/** What is to be counted of a conversation, and how its attachments are. */
export async function countedConversation(
  body: JsonObject,
  read: ConversationRequest,
  model: AskedModel,
  { pricing: defaults, calibrations }: CallSettings,
  options: Omit<PricingOptions, 'defaults'>,
): Promise<CountJob & ResolvedEncoding> {
  const job = await withLearned(countJob(body, read, model, defaults.rules), model, calibrations);
  const media = await new Turn().drive(mediaPricing(body, read, job.model, { ...options, defaults }));
  return { ...job, ...(media && { media }) };
}

/** With what was learned of the model in place of its rule. */
export async function withLearned<Resolved extends ResolvedEncoding>(
  resolved: Resolved,
  { name }: AskedModel,
  calibrations: CallSettings['calibrations'],
): Promise<Resolved> {
  const { estimate } = resolved;
  if (calibrations === undefined || estimate === undefined || name === undefined) return resolved;
  return { ...resolved, estimate: await calibrations.learned(name, estimate) };
}
