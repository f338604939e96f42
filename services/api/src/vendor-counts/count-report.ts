import { RULES_VERSION, weaker } from '@preflight/accounting';
import { basis, type CountResponse, high, low, warnings } from '@preflight/contracts';
import Type, { type Static } from 'typebox';

/** What stands beside the vendor's own fields, under `preflight`: SDKs that keep unknown keys hand it on. */
export const countReport = Type.Object(
  {
    basis,
    low,
    high,
    encoding: Type.String({ description: 'What the texts were counted with.' }),
    payload: Type.Integer({
      description: 'Tokens if attachments count as the text that goes over the wire.',
    }),
    rulesVersion: Type.String({ description: 'Version of the rules for all that is no text.' }),
    warnings,
  },
  { description: 'How the number came about.' },
);

export type CountReport = Static<typeof countReport>;

/** How a count of `/v1/count` came about. */
export function reportOf(response: CountResponse): CountReport {
  const { low, high, basis, warnings, attachments = [] } = response;
  const isPartial = warnings.some(({ code }) => code === 'provider_state');
  const payload = attachments.reduce(
    (sum, row) => sum + (row.payload?.tokens ?? 0) - (row.tokens ?? row.provider?.high ?? 0),
    vendorTokens(response),
  );
  return {
    basis: isPartial ? weaker(basis, 'estimate') : basis,
    ...{ low, high },
    // Vendors' calls never ask for characters in place of tokens.
    encoding: response.encoding as string,
    payload,
    rulesVersion: RULES_VERSION,
    warnings,
  };
}

/** The number that the vendor's clients get; what the provider refuses counts as the most that it takes. */
export function vendorTokens({ tokens, high, attachments = [] }: CountResponse): number {
  return tokens ?? (attachments.length > 0 ? high : 0);
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
