import { availableParallelism, homedir } from 'node:os';
import { join } from 'node:path';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import { type SettingName, settingsSchema } from './settings.js';

/** Effective settings, in the words of the code. Frozen. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Folder of counts and of what is learned of models; undefined keeps both in memory only. */
  readonly dataDir: string | undefined;
  readonly threads: number;
  readonly engine: 'kernel' | 'tiktoken';
  readonly bodyLimitBytes: number;
  readonly maxMessages: number;
  readonly queueLimitBytes: number;
  readonly cacheMemoryBytes: number;
  readonly deadlineMs: number;
  readonly drainMs: number;
  /** For models outside the catalog; undefined when the operator gives none. */
  readonly defaultContextWindowTokens: number | undefined;
  /** What an operator knows better about models; undefined if nothing. */
  readonly modelsFile: string | undefined;
  /** Vocabularies that are read when the process starts, as they are written in the setting. */
  readonly tokenizers: readonly string[];
  /** What attachments count as where a request does not say. */
  readonly accounting: 'payload' | 'provider';
  readonly rulesFile: string | undefined;
  readonly logLevel: string;
  /** Where jobs are queued; undefined when all is done in this process. */
  readonly queueRedisUrl: string | undefined;
  readonly cacheRedisUrl: string | undefined;
  /** Jobs at a time. */
  readonly concurrency: number;
  readonly jobLockMs: number;
  readonly payloadLifetimeMs: number;
  readonly resultLifetimeMs: number;
  readonly batchLifetimeMs: number;
  readonly blobLimitBytes: number;
  readonly blobLifetimeMs: number;
  /** For uploads that are kept in this process. */
  readonly blobMemoryBytes: number;
}

/** All faults of the environment at once, one line each; the process should print it and end. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(`invalid configuration:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

const PREFIX = 'PREFLIGHT_';

/**
 * Reads all `PREFLIGHT_` settings from an environment.
 * Throws ConfigError naming every fault: unknown names, values out of bounds, limits that contradict each other.
 */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const faults: string[] = [];
  const given: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(environment)) {
    if (!name.startsWith(PREFIX) || text === undefined || text === '') continue;
    const property = settingsSchema.properties[name as SettingName] as { type?: string } | undefined;
    if (property === undefined) faults.push(`${name}: unknown setting`);
    else given[name] = property.type === 'integer' ? wholeNumber(text) : text;
  }
  const settings = Value.Default(settingsSchema, given) as Static<typeof settingsSchema>;
  for (const { instancePath, message } of Value.Errors(settingsSchema, settings)) {
    const name = instancePath.slice(1);
    const isSecret = 'secret' in settingsSchema.properties[name as SettingName];
    faults.push(`${name}: ${message}${isSecret ? '' : `, got ${JSON.stringify(given[name])}`}`);
  }
  faults.push(...contradictions(settings));
  if (faults.length > 0) throw new ConfigError(faults);

  return Object.freeze({
    host: settings.PREFLIGHT_HOST,
    port: settings.PREFLIGHT_PORT,
    dataDir: dataDirectory(settings.PREFLIGHT_DATA_DIR, environment),
    threads: settings.PREFLIGHT_THREADS || availableParallelism(),
    engine: settings.PREFLIGHT_ENGINE,
    bodyLimitBytes: settings.PREFLIGHT_BODY_LIMIT_BYTES,
    maxMessages: settings.PREFLIGHT_MAX_MESSAGES,
    queueLimitBytes: settings.PREFLIGHT_QUEUE_LIMIT_BYTES,
    cacheMemoryBytes: settings.PREFLIGHT_CACHE_MEMORY_BYTES,
    deadlineMs: settings.PREFLIGHT_DEADLINE_MS,
    drainMs: settings.PREFLIGHT_DRAIN_MS,
    defaultContextWindowTokens: settings.PREFLIGHT_CONTEXT_WINDOW || undefined,
    modelsFile: settings.PREFLIGHT_MODELS_FILE || undefined,
    tokenizers: settings.PREFLIGHT_TOKENIZERS.split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
    accounting: settings.PREFLIGHT_ACCOUNTING,
    rulesFile: settings.PREFLIGHT_RULES_FILE || undefined,
    logLevel: settings.PREFLIGHT_LOG_LEVEL,
    queueRedisUrl: settings.PREFLIGHT_QUEUE_REDIS_URL || undefined,
    cacheRedisUrl: settings.PREFLIGHT_CACHE_REDIS_URL || undefined,
    concurrency: settings.PREFLIGHT_CONCURRENCY,
    jobLockMs: settings.PREFLIGHT_JOB_LOCK_MS,
    payloadLifetimeMs: settings.PREFLIGHT_PAYLOAD_LIFETIME_MS,
    resultLifetimeMs: settings.PREFLIGHT_RESULT_LIFETIME_MS,
    batchLifetimeMs: settings.PREFLIGHT_BATCH_LIFETIME_MS,
    blobLimitBytes: settings.PREFLIGHT_BLOB_LIMIT_BYTES,
    blobLifetimeMs: settings.PREFLIGHT_BLOB_LIFETIME_MS,
    blobMemoryBytes: settings.PREFLIGHT_BLOB_MEMORY_BYTES,
  });
}

/** The configuration as it may be logged: addresses without user, password and parameters. */
export function printableConfig(config: Config): Config {
  const { queueRedisUrl, cacheRedisUrl } = config;
  return { ...config, queueRedisUrl: masked(queueRedisUrl), cacheRedisUrl: masked(cacheRedisUrl) };
}

function masked(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return url && '(not shown)';
  const { protocol, host, pathname, username, password, search } = new URL(url);
  const hidden = username || password || search ? '***@' : '';
  return `${protocol}//${hidden}${host}${pathname}`;
}

/** Settings that are legal each by itself and make no sense together. */
function contradictions(settings: Static<typeof settingsSchema>): string[] {
  const faults: string[] = [];
  if (settings.PREFLIGHT_QUEUE_LIMIT_BYTES < settings.PREFLIGHT_BODY_LIMIT_BYTES)
    faults.push(
      'PREFLIGHT_QUEUE_LIMIT_BYTES: must be at least PREFLIGHT_BODY_LIMIT_BYTES, or the largest body is never admitted',
    );
  if (settings.PREFLIGHT_BLOB_MEMORY_BYTES < settings.PREFLIGHT_BLOB_LIMIT_BYTES)
    faults.push(
      'PREFLIGHT_BLOB_MEMORY_BYTES: must be at least PREFLIGHT_BLOB_LIMIT_BYTES, or the largest attachment never fits',
    );
  if (settings.PREFLIGHT_CACHE_REDIS_URL && !settings.PREFLIGHT_QUEUE_REDIS_URL)
    faults.push(
      'PREFLIGHT_CACHE_REDIS_URL: needs PREFLIGHT_QUEUE_REDIS_URL, without which all is in one process',
    );
  if (
    settings.PREFLIGHT_QUEUE_REDIS_URL &&
    settings.PREFLIGHT_PAYLOAD_LIFETIME_MS <= settings.PREFLIGHT_DEADLINE_MS
  )
    faults.push(
      'PREFLIGHT_PAYLOAD_LIFETIME_MS: must exceed PREFLIGHT_DEADLINE_MS, or jobs lose their texts while they wait',
    );
  return faults;
}

/** Text that is no whole number stays text, so that the schema refuses it with its own words. */
function wholeNumber(text: string): number | string {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

function dataDirectory(setting: string, environment: Record<string, string | undefined>): string | undefined {
  if (setting === 'none') return undefined;
  if (setting !== '') return setting;
  return join(environment.XDG_CACHE_HOME || join(homedir(), '.cache'), 'preflight');
}
