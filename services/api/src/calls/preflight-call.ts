import type { Gate } from '@preflight/accounting';
import type { PreflightJob, PreflightRequest } from '@preflight/contracts';
import type { JsonObject } from '@preflight/core';
import { measureBytes } from '@preflight/formats';
import { Turn } from '@preflight/runtime';
import { okAnswer } from '../answers/answer.js';
import { preflightCost } from '../answers/cost.js';
import { fittedAnswer } from '../answers/fitted-answer.js';
import { limitsReport } from '../answers/limits-report.js';
import { burdenOf } from '../attachments/attachment-rows.js';
import { accountingOf } from '../attachments/media-pricing.js';
import { refusalProblem } from '../problems/problems.js';
import { askedModel, modelWarnings } from '../requests/asked-model.js';
import { type ConversationRequest, readConversation } from '../requests/conversation-request.js';
import { preflightJob } from '../requests/job.js';
import { askedOutputTokens, suggestedOutput } from '../requests/output-plan.js';
import { otherAccountingWarning } from '../warnings/accounting-warning.js';
import { base64Warning } from '../warnings/base64-warning.js';
import { countWarnings } from '../warnings/count-warnings.js';
import { illFormedWarning } from '../warnings/ill-formed-warning.js';
import { providerStateWarning } from '../warnings/provider-state-warning.js';
import { turnWarnings } from '../warnings/turn-warnings.js';
import type { PreflightCall } from './call.js';
import type { CallSettings } from './call-settings.js';
import { countedConversation } from './counted-conversation.js';

/** An estimate is not to be found too low by the provider. */
const DEFAULT_GATE: Gate = 'high';

/** A conversation that is to be made to fit, of a checked body. Rejects with what is wrong with it. */
export async function readPreflightCall(body: JsonObject, settings: CallSettings): Promise<PreflightCall> {
  const { models, pricing, maxMessages, defaultContextWindowTokens, onWarnings } = settings;
  const read = await new Turn().drive(readConversation(body, maxMessages));
  const model = askedModel(models, body, read.request);
  const gate = (body.gate ?? DEFAULT_GATE) as Gate;
  const counted = await countedConversation(body, read, model, settings, { gate });
  const accounting = accountingOf(body, pricing);
  const fit = preflightJob(body, counted, read, model, defaultContextWindowTokens);
  const job = { ...fit, ...(await bytesOf(read, fit)) };
  return {
    kind: 'preflight',
    job,
    pointerPrefix: read.pointerPrefix,
    answer: async (result, context) => {
      const warnings = [
        ...modelWarnings(body, model, true),
        ...providerStateWarning(read),
        ...countWarnings(result, accounting),
        ...otherAccountingWarning(job, result),
        ...base64Warning(read.conversation.messages),
        ...(await new Turn().drive(illFormedWarning(read.conversation))),
        ...turnWarnings(read.conversation.messages, result),
      ];
      onWarnings(body, warnings);
      const { decision } = result;
      const asked = body as unknown as PreflightRequest;
      if (decision.outcome === 'refused') {
        const { historyTokensBefore: before, historyTokensAfter: after } = decision.figures;
        const limits = limitsReport(asked, read, model, job.fit, { before, after });
        const burden = await burdenOf(result, accounting);
        return refusalProblem(decision, limits, { ...burden, warnings }, context);
      }
      const fitted = { ...result, decision };
      const suggestion = suggestedOutput(asked, read, model, decision.maxOutputTokens);
      const options = {
        withConversation: body.return === 'conversation',
        withLeftOutTexts: body.left_out_texts === true,
        accounting,
        maxRequestBytes: job.fit.maxRequestBytes,
        limits: limitsReport(asked, read, model, job.fit, decision.tokens, suggestion),
        cost: preflightCost(
          model.known?.model,
          decision,
          result.ledger,
          askedOutputTokens(job.fit),
          accounting,
        ),
        warnings: suggestion ? [...warnings, suggestion.warning] : warnings,
      };
      return okAnswer(await fittedAnswer(context.requestId, read, counted, fitted, options));
    },
  };
}

/** What the request has in bytes, where there is a budget of them; else nobody measures it. */
async function bytesOf(
  read: ConversationRequest,
  { fit }: PreflightJob,
): Promise<Pick<PreflightJob, 'bytes'>> {
  if (fit.maxRequestBytes === undefined) return {};
  return { bytes: await new Turn().drive(measureBytes(read)) };
}
