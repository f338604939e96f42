import { parseArgs } from 'node:util';
import { isObject, type Json, type JsonObject, TRIM_MESSAGES } from '@preflight/core';
import { UsageError } from './usage.js';

export type Command =
  | { readonly name: 'help' }
  | { readonly name: 'version' }
  | { readonly name: 'serve' | 'api' | 'coordinator'; readonly options: ListenOptions }
  | {
      readonly name: 'batch';
      readonly file: string;
      readonly call: 'preflight' | 'count';
      /** Results of an earlier run. */
      readonly doneFile: string | undefined;
    }
  | {
      readonly name: 'models';
      /** One by its name, or those that match the query. */
      readonly model: string | undefined;
      /** As it would stand in the address. */
      readonly query: Readonly<Record<string, string>>;
      readonly isJson: boolean;
    }
  | ({ readonly name: 'calibrations'; readonly isJson: boolean } & CalibrationsAction)
  | {
      readonly name: InputCall;
      readonly file: string;
      readonly input: InputOptions;
      readonly isJson: boolean;
    };

/** Commands that answer one file. */
export type InputCall = 'fit' | 'count' | 'check';

/** What is to be done with what was learned of models. */
export type CalibrationsAction =
  | { readonly action: 'list' }
  | { readonly action: 'add'; readonly file: string }
  /** Of one model, or of all. */
  | { readonly action: 'reset'; readonly model: string | undefined };

/** Where a service listens, in place of what the settings say. */
export interface ListenOptions {
  readonly port?: number;
  readonly host?: string;
}

/** How the file is read, and what is laid over it. */
export interface InputOptions {
  /** The file is the provider's own request. */
  readonly isRequest: boolean;
  /** Options of the HTTP body. */
  readonly overrides: JsonObject;
}

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean' } as const;

/** Command-line names of body options, and how their values are read. */
const BODY_OPTIONS: Readonly<
  Record<string, { field: string; read: (text: string, name: string) => Json; of: readonly InputCall[] }>
> = {
  model: { field: 'model', read: String, of: ['fit', 'count', 'check'] },
  format: { field: 'format', read: String, of: ['fit', 'count', 'check'] },
  encoding: { field: 'encoding', read: String, of: ['fit', 'count'] },
  count: { field: 'count', read: String, of: ['fit', 'count'] },
  accounting: { field: 'accounting', read: String, of: ['fit', 'count'] },
  'context-window': { field: 'context_window', read: wholeNumber, of: ['fit'] },
  budget: { field: 'budget_tokens', read: wholeNumber, of: ['fit'] },
  'max-bytes': { field: 'max_request_bytes', read: wholeNumber, of: ['fit'] },
  'max-output': { field: 'max_output_tokens', read: wholeNumber, of: ['fit'] },
  'min-output': { field: 'min_output_tokens', read: wholeNumber, of: ['fit'] },
  buffer: { field: 'buffer_tokens', read: wholeNumber, of: ['fit'] },
  strategy: { field: 'strategy', read: namesOf, of: ['fit'] },
  'trim-messages': { field: TRIM_MESSAGES.name, read: jsonObject, of: ['fit'] },
  'token-counter': { field: 'token_counter', read: String, of: ['count'] },
};

/** Reads the command line. Throws UsageError. */
export function readArguments(argv: readonly string[]): Command {
  const [name, ...rest] = argv;
  if (name === undefined || name === 'help' || argv.includes('--help') || argv.includes('-h'))
    return { name: 'help' };
  if (name === 'version' || name === '--version' || name === '-v') return { name: 'version' };
  switch (name) {
    case 'serve':
    case 'api':
    case 'coordinator':
      return { name, options: listenOptions(name, rest) };
    case 'batch':
      return batchCommand(rest);
    case 'models':
      return modelsCommand(rest);
    case 'calibrations':
      return calibrationsCommand(rest);
    case 'fit':
    case 'count':
    case 'check':
      return inputCommand(name, rest);
    default:
      throw new UsageError(`unknown command: ${name}`);
  }
}

function listenOptions(name: string, argv: readonly string[]): ListenOptions {
  const { values, positionals } = parse(argv, { port: TEXT, host: TEXT });
  if (positionals.length > 0) throw new UsageError(`${name} takes no file: ${positionals[0]}`);
  const port = values.port === undefined ? undefined : portNumber(String(values.port));
  // An empty host would listen on every address there is.
  if (values.host === '') throw new UsageError('--host takes an address');
  return {
    ...(port === undefined ? {} : { port }),
    ...(values.host === undefined ? {} : { host: String(values.host) }),
  };
}

function batchCommand(argv: readonly string[]): Command {
  const { values, positionals } = parse(argv, { count: FLAG, done: TEXT });
  if (positionals.length !== 1) throw new UsageError('batch takes one file, or - for standard input');
  return {
    name: 'batch',
    file: positionals[0] as string,
    call: values.count ? 'count' : 'preflight',
    doneFile: values.done === undefined ? undefined : String(values.done),
  };
}

/** Command-line names of what models are chosen by. */
const MODEL_FILTERS: Readonly<Record<string, string>> = {
  provider: 'provider',
  family: 'family',
  'window-type': 'window_type',
  'min-window': 'min_context_window',
  capability: 'capability',
  search: 'q',
};

function modelsCommand(argv: readonly string[]): Command {
  const { values, positionals } = parse(argv, {
    ...Object.fromEntries(Object.keys(MODEL_FILTERS).map((option) => [option, TEXT])),
    exact: FLAG,
    json: FLAG,
  });
  if (positionals.length > 1) throw new UsageError('models takes one name at most');
  const query = Object.fromEntries(
    Object.entries(MODEL_FILTERS).flatMap(([option, field]) =>
      values[option] === undefined ? [] : [[field, String(values[option])]],
    ),
  );
  if (values.exact) query.exact_encoding = 'true';
  const [model] = positionals;
  if (model !== undefined && Object.keys(query).length > 0)
    throw new UsageError('models takes a name, or options that choose some');
  return { name: 'models', model, query, isJson: values.json === true };
}

function calibrationsCommand(argv: readonly string[]): Command {
  const { values, positionals } = parse(argv, { json: FLAG, all: FLAG });
  const [action = 'list', subject, ...more] = positionals;
  const base = { name: 'calibrations', isJson: values.json === true } as const;
  if (more.length > 0) throw new UsageError(`calibrations ${action} takes no more than one name or file`);
  if (values.all && action !== 'reset') throw new UsageError('--all goes with calibrations reset');
  if (action === 'list' && subject === undefined) return { ...base, action };
  if (action === 'add' && subject !== undefined) return { ...base, action, file: subject };
  if (action === 'reset' && (subject === undefined) === (values.all === true))
    return { ...base, action, model: subject };
  throw new UsageError(
    'calibrations takes: list, add with a file or - for standard input, or reset with a model or --all',
  );
}

function inputCommand(name: InputCall, argv: readonly string[]): Command {
  const bodyOptions = Object.entries(BODY_OPTIONS).filter(([, { of }]) => of.includes(name));
  const { values, positionals } = parse(argv, {
    ...Object.fromEntries(bodyOptions.map(([option]) => [option, TEXT])),
    request: FLAG,
    json: FLAG,
    ...(name === 'count' ? {} : { conversation: FLAG }),
    ...(name === 'check' ? { repair: FLAG } : {}),
  });
  if (positionals.length !== 1) throw new UsageError(`${name} takes one file, or - for standard input`);
  if (values.conversation && !values.json) throw new UsageError('--conversation goes with --json');
  const overrides: JsonObject = {};
  for (const [option, { field, read }] of bodyOptions)
    if (values[option] !== undefined) overrides[field] = read(String(values[option]), option);
  if (values.conversation) overrides.return = 'conversation';
  if (values.repair) overrides.repair = true;
  const input = { isRequest: values.request === true, overrides };
  return { name, file: positionals[0] as string, input, isJson: values.json === true };
}

function parse(argv: readonly string[], options: Record<string, { type: 'string' | 'boolean' }>) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function wholeNumber(text: string, name: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new UsageError(`--${name} takes a whole number, not ${text}`);
  return Number(text);
}

/** One name, or several with commas between them. */
function namesOf(text: string): Json {
  const names = text.split(',');
  return names.length === 1 ? text : names;
}

function jsonObject(text: string, name: string): JsonObject {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`--${name} takes a JSON object`);
  }
  if (!isObject(value)) throw new UsageError(`--${name} takes a JSON object`);
  return value;
}

function portNumber(text: string): number {
  const port = wholeNumber(text, 'port');
  if (port < 0 || port > 65_535) throw new UsageError(`--port takes a number from 0 to 65535, not ${text}`);
  return port;
}
