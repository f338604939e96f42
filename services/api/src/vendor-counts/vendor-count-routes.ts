import type { CountResponse } from '@preflight/contracts';
import { type Issue, type Json, PreflightError } from '@preflight/core';
import type { FastifyInstance } from 'fastify';
import type { AnswerContext, Answerer } from '../answerer.js';
import { type Answer, okAnswer } from '../answers/answer.js';
import { send } from '../answers/send.js';
import { requestSignal } from '../connections/request-signal.js';
import { pathOf } from '../problems/path-of.js';
import { reportHeaders, reportOf, vendorTokens } from './count-report.js';
import { VENDOR_COUNTS } from './index.js';
import { type Encode, idsUpToLimit } from './token-ids.js';
import { readObjectBody, type VendorCount } from './vendor-count.js';

export interface VendorCountParts {
  readonly answerer: Answerer;
  readonly encode: Encode;
  readonly deadlineMs: number;
}

/**
 * The vendors' own count calls, for their own clients. Keys, versions, betas and whatever stands in the query are
 * ignored.
 */
export function addVendorCountRoutes(app: FastifyInstance, parts: VendorCountParts): void {
  for (const vendor of VENDOR_COUNTS) for (const url of vendor.urls) addRoute(app, url, vendor, parts);
}

function addRoute(
  app: FastifyInstance,
  url: string,
  vendor: VendorCount,
  { deadlineMs, ...parts }: VendorCountParts,
): void {
  app.post(
    url,
    {
      config: { errorBody: vendor.errorBody },
      schema: schemaOf(vendor),
      // Where the vendors' SDKs look for it, to be told to whoever is asked for help.
      onRequest: ({ id }, reply, done) => {
        reply.headers({ 'request-id': id, 'x-request-id': id });
        done();
      },
    },
    async (request, reply) => {
      const { model } = request.params as { model?: string };
      const signal = requestSignal(request.over, deadlineMs);
      const context = { instance: pathOf(request), requestId: request.id, signal };
      const call = { body: request.body as Json | undefined, model };
      return send(reply, await answerAs(vendor, call, parts, context));
    },
  );
}

function schemaOf({ summary, body, answer, error }: VendorCount) {
  const refused = { description: "An error in the vendor's own shape.", content: jsonOf(error) };
  const refusals = Object.fromEntries([400, 413, 415, 424, 503, 504].map((status) => [status, refused]));
  return { summary, body, response: { 200: answer, ...refusals } };
}

const jsonOf = (schema: VendorCount['error']) => ({ 'application/json': { schema } });

/** The count of `/v1/count`, asked and answered in a vendor's words. */
async function answerAs(
  vendor: VendorCount,
  call: { readonly body: Json | undefined; readonly model: string | undefined },
  { answerer, encode }: Pick<VendorCountParts, 'answerer' | 'encode'>,
  context: AnswerContext,
): Promise<Answer> {
  const question = vendor.read(readObjectBody(call.body), call.model);
  const { model, pointerPrefix = '', warnings = [], idsOf } = question;
  const request = { ...question.request, accounting: 'provider' };
  const answered = await answerer.count(request, context).catch((error: unknown) => {
    throw atPlaces(error, pointerPrefix);
  });
  const response = answered.body as unknown as CountResponse;
  const counted = reportOf(response);
  const report = { ...counted, warnings: [...counted.warnings, ...warnings] };
  const tokens = vendorTokens(response);
  const contextWindowTokens =
    model === undefined ? null : (answerer.modelOf(model)?.model.contextWindowTokens ?? null);
  const ids =
    idsOf === undefined ? [] : await idsUpToLimit(encode, idsOf, { tokens, report }, context.signal);
  const answer = okAnswer(vendor.write({ tokens, model, contextWindowTokens, report, ids }));
  return { ...answer, headers: { ...answer.headers, ...reportHeaders(report) } };
}

/** An error with its places in the body as it came, where the provider's request stands at `pointerPrefix`. */
function atPlaces(error: unknown, pointerPrefix: string): unknown {
  if (!(error instanceof PreflightError) || error.issues === undefined) return error;
  const issues = error.issues.map(
    ({ pointer, detail }): Issue => ({
      pointer: pointer.replace(/^\/request(?=\/|$)/, () => pointerPrefix),
      detail,
    }),
  );
  return new PreflightError(error.code, { ...error, issues, cause: error });
}
