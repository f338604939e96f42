import type { Accounting } from '@preflight/accounting';
import type { CountCost, PreflightCost } from '@preflight/contracts';
import { attachmentTokensLeft, type Fitted, type Ledger } from '@preflight/core';
import type { Model, Prices } from '@preflight/models';

const MILLION = 1_000_000;

/** What the input of a request costs; undefined where no price is known. */
export function countCost(
  model: Model | undefined,
  tokens: number,
  ledger: Ledger,
  accounting: Accounting,
): CountCost | undefined {
  const prices = model?.prices;
  if (!prices) return undefined;
  const unpricedTokens = accounting === 'provider' ? 0 : sum(ledger.attachmentTokens);
  return { ...originOf(prices, unpricedTokens), ...inputCost(prices, tokens - unpricedTokens) };
}

/** What a request costs with the output asked for, and what it costs as it is answered. */
export function preflightCost(
  model: Model | undefined,
  decision: Fitted,
  ledger: Ledger,
  askedOutputTokens: number,
  accounting: Accounting,
): PreflightCost | undefined {
  const prices = model?.prices;
  if (!prices) return undefined;
  const isPriced = accounting === 'provider';
  const unpricedTokens = isPriced ? 0 : sum(ledger.attachmentTokens);
  const unpricedLeft = isPriced ? 0 : sum(attachmentTokensLeft(decision, ledger.attachmentTokens));
  const { before, after } = decision.tokens;
  return {
    ...originOf(prices, unpricedTokens),
    before: requestCost(prices, before - unpricedTokens, askedOutputTokens),
    after: requestCost(prices, after - unpricedLeft, decision.maxOutputTokens),
  };
}

/** Attachments that are counted as the text that goes over the wire have no price: that is not what they are billed as. */
function originOf({ source, date }: Prices, unpricedTokens: number) {
  return {
    currency: 'USD' as const,
    ...(unpricedTokens > 0 && { without_attachments: true }),
    source,
    date,
  };
}

function requestCost(prices: Prices, inputTokens: number, outputTokens: number) {
  const { output } = pricesFor(prices, inputTokens);
  return { ...inputCost(prices, inputTokens), output: dollars(outputTokens, output) };
}

function inputCost(prices: Prices, inputTokens: number) {
  const { input, cachedInput } = pricesFor(prices, inputTokens);
  return {
    input: dollars(inputTokens, input),
    cached_input: cachedInput === null ? null : dollars(inputTokens, cachedInput),
  };
}

/** Some makers ask more for a whole request once its input is long. */
function pricesFor(prices: Prices, inputTokens: number) {
  const { longInput } = prices;
  return longInput !== undefined && inputTokens > longInput.aboveTokens ? longInput : prices;
}

/** Without the digits that only binary fractions have. */
function dollars(tokens: number, perMillion: number): number {
  return Number(((tokens * perMillion) / MILLION).toFixed(9));
}

function sum(column: Int32Array): number {
  return column.reduce((total, tokens) => total + tokens, 0);
}
