import { RULES_VERSION } from '@preflight/accounting';
import { type CountResponse, warning } from '@preflight/contracts';
import Type, { type Static } from 'typebox';

/** What stands beside the vendor's own fields, under `preflight`: SDKs that keep unknown keys hand it on. */
export const countReport = Type.Object(
  {
    basis: Type.Enum(['exact', 'formula', 'estimate'], {
      description:
        "`exact`: plain text in the model's own encoding. `formula`: that, and a published rule for what stands around it. `estimate`: the model's encoding or rule is not public, or attachments count as the text that goes over the wire.",
    }),
    encoding: Type.String({ description: 'What the texts were counted with.' }),
    payload: Type.Integer({
      description: 'Tokens if attachments count as the text that goes over the wire.',
    }),
    rulesVersion: Type.String({ description: 'Version of the rules for all that is no text.' }),
    warnings: Type.Array(warning),
  },
  { description: 'How the number came about.' },
);

export type CountReport = Static<typeof countReport>;

/** How a count of `/v1/count` came about. */
export function reportOf(response: CountResponse): CountReport {
  const { warnings } = response;
  // Null only where attachments are stated, which vendors' calls do not.
  const tokens = response.tokens as number;
  // Vendors' calls never ask for characters in place of tokens.
  const encoding = response.encoding as string;
  return {
    basis: basisOf(response),
    encoding,
    payload: tokens,
    rulesVersion: RULES_VERSION,
    warnings,
  };
}

/** Warnings of what is counted in part, or in another way than the provider does. */
const ESTIMATED = new Set(['attachment_estimate', 'provider_state']);

/** Kinds of tokens for which nobody has published a rule: they count as the text that they travel as. */
const UNPUBLISHED = ['schemas', 'reasoning', 'other'] as const;

function basisOf({ exact, messages, overhead, warnings }: CountResponse): CountReport['basis'] {
  if (!exact || warnings.some(({ code }) => ESTIMATED.has(code))) return 'estimate';
  if (overhead === undefined) return 'exact';
  const isUnpublished = [overhead, ...(messages ?? [])].some(
    ({ kinds }) => kinds !== undefined && UNPUBLISHED.some((kind) => kinds[kind] !== undefined),
  );
  return isUnpublished ? 'estimate' : overhead.basis;
}

/** The essentials again, for clients whose SDK drops keys that it does not know. */
export function reportHeaders({
  basis,
  encoding,
  payload,
  rulesVersion,
}: CountReport): Record<string, string> {
  return {
    'x-preflight-basis': basis,
    'x-preflight-encoding': encoding,
    'x-preflight-payload': String(payload),
    'x-preflight-rules-version': rulesVersion,
  };
}
