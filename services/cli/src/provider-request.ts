import { checkRequest, countRequest, preflightRequest } from '@preflight/contracts';
import type { JsonObject } from '@preflight/core';
import { DEFAULT_FORMAT, detectFormat, FLAT_FIELDS } from '@preflight/formats';

/** Fields of our calls that are also a provider's own. */
const SHARED: ReadonlySet<string> = new Set([...FLAT_FIELDS, 'model', 'max_output_tokens']);

/** What only a body of our calls has. */
const OPTIONS = [preflightRequest, countRequest, checkRequest]
  .flatMap(({ properties }) => Object.keys(properties))
  .filter((name) => !SHARED.has(name));

/** How an answer is to be written: what stands beside the conversation in most requests of the default format. */
const GENERATION_FIELDS = [
  ...['temperature', 'top_p', 'max_tokens', 'max_completion_tokens', 'stop', 'seed', 'n', 'stream'],
  ...['stream_options', 'presence_penalty', 'frequency_penalty', 'logprobs', 'parallel_tool_calls'],
  ...['reasoning_effort', 'store', 'metadata', 'user'],
] as const;

/**
 * Whether an object is a provider's request, as a client sends it, and not the body of one of our calls: it has none of
 * their options, and something that only providers have. Any other unknown field is left to be refused.
 */
export function isProviderRequest(value: JsonObject): boolean {
  if (OPTIONS.some((name) => value[name] !== undefined)) return false;
  return (
    detectFormat(value).name !== DEFAULT_FORMAT || GENERATION_FIELDS.some((name) => value[name] !== undefined)
  );
}
