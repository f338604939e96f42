import type { ListCounter, TrimJob, TrimMessagesOptions } from '@preflight/contracts';
import {
  checkTrimOptions,
  type JsonObject,
  type ListedMessage,
  PreflightError,
  type RoleOfType,
  TEXT_SPLITTERS,
  TRIM_MESSAGES,
  type TrimOptionRefusal,
} from '@preflight/core';
import { FLAT_FIELDS } from '@preflight/formats';
import { resolveEncoding } from './job.js';

/** Whether a checked body asks for the strict mode. */
export function asksForTrim(body: JsonObject): boolean {
  return body.strategy === TRIM_MESSAGES.name;
}

/** What every call takes: the conversation, and how it is answered. */
const COMMON_FIELDS = ['model', 'request', 'format', 'agent', 'return', ...FLAT_FIELDS];

/**
 * Throws `unsupported_option` for options that say nothing where messages are counted as langchain-core does: about
 * windows and outputs, other strategies and other counts. `own` are those that do.
 */
export function refuseOthers(body: JsonObject, own: readonly string[]): void {
  const fields = new Set([...COMMON_FIELDS, ...own]);
  const others = Object.keys(body).filter((name) => !fields.has(name) && body[name] !== undefined);
  if (others.length === 0) return;
  throw new PreflightError('unsupported_option', {
    publicDetail: `These options do not go with ${own.at(-1)}: ${others.join(', ')}.`,
    issues: others.map((name) => ({ pointer: `/${name}`, detail: `does not go with \`${own.at(-1)}\`` })),
  });
}

/**
 * What is to be trimmed, with every default filled in. Throws `start_on_with_first`, `include_system_with_first`,
 * `unknown_strategy`, `unknown_encoding`, and `unsupported_option` for options that are not those of this strategy.
 */
export function trimJob(body: JsonObject, messages: readonly ListedMessage[]): TrimJob {
  refuseOthers(body, ['strategy', TRIM_MESSAGES.name]);
  const options = body[TRIM_MESSAGES.name] as TrimMessagesOptions | undefined;
  if (options === undefined) throw optionsOutOfPlace('are required with the strategy');
  const checked = checkTrimOptions({
    maxTokens: options.max_tokens,
    strategy: options.strategy ?? 'last',
    allowPartial: options.allow_partial ?? false,
    endOn: typesOf(options.end_on),
    startOn: typesOf(options.start_on),
    includeSystem: options.include_system ?? false,
    splitter: options.text_splitter ?? TEXT_SPLITTERS[0],
  });
  if ('code' in checked) throw refusedOption(checked);
  return { messages, counter: counterOf(options.token_counter), options: checked };
}

/** Throws `invalid_request` where options of a trim stand beside another strategy. */
export function refuseTrimOptions(body: JsonObject): void {
  if (body[TRIM_MESSAGES.name] !== undefined)
    throw optionsOutOfPlace('go with the strategy of this name only');
}

function refusedOption({ code, description, option, detail }: TrimOptionRefusal): PreflightError {
  const issues = [{ pointer: `/${TRIM_MESSAGES.name}/${option}`, detail }];
  return new PreflightError(code, { publicDetail: description, issues });
}

function optionsOutOfPlace(detail: string): PreflightError {
  return new PreflightError('invalid_request', {
    publicDetail: `The options \`${TRIM_MESSAGES.name}\` ${detail}.`,
    issues: [{ pointer: `/${TRIM_MESSAGES.name}`, detail }],
  });
}

function counterOf(given: TrimMessagesOptions['token_counter']): ListCounter {
  if (given === 'len') return { kind: 'length' };
  if (given === 'approximate') return { kind: 'approximate' };
  const pointer = `/${TRIM_MESSAGES.name}/token_counter/encoding`;
  const { encoding } = resolveEncoding({ name: undefined, known: undefined }, given.encoding, { pointer });
  return { kind: 'tokens', encoding, perMessageTokens: given.per_message_tokens };
}

function typesOf(given: TrimMessagesOptions['start_on']): readonly RoleOfType[] {
  if (given === undefined || given === null) return [];
  return Array.isArray(given) ? given : [given];
}
