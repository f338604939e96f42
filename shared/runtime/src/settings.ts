import Type, { type Static } from 'typebox';

const MIB = 1024 * 1024;

/**
 * Every setting there is: name, type, bounds, default, unit and what it trades. `docs/configuration.md` is written
 * from this table, and a test compares the two.
 */
export const settingsSchema = Type.Object(
  {
    PREFLIGHT_HOST: Type.String({
      default: '127.0.0.1',
      minLength: 1,
      description:
        'Address to listen on. The default answers this machine only; `0.0.0.0` opens the service to the network, which has no authentication of its own.',
    }),
    PREFLIGHT_PORT: Type.Integer({
      default: 8787,
      minimum: 0,
      maximum: 65535,
      description: 'Port to listen on; 0 takes a free one and logs it.',
    }),
    PREFLIGHT_DATA_DIR: Type.String({
      default: '',
      description:
        'Folder of the count cache, which survives restarts and may be shared by processes of one machine. Empty: the user cache folder (`$XDG_CACHE_HOME/preflight`, else `~/.cache/preflight`). `none`: counts are remembered in memory only.',
    }),
    PREFLIGHT_THREADS: Type.Integer({
      default: 0,
      minimum: 0,
      maximum: 256,
      description:
        'Worker threads that count and cut; 0 is one for each core. More than cores makes nothing faster; fewer leaves cores to others.',
    }),
    PREFLIGHT_ENGINE: Type.Enum(['kernel', 'tiktoken'], {
      default: 'kernel',
      description:
        'What counts. `kernel` is the own WASM counter; `tiktoken` is the npm package itself, for audits: the same counts, ten times slower and more, with some 80 MB for each thread.',
    }),
    PREFLIGHT_BODY_LIMIT_BYTES: Type.Integer({
      default: 64 * MIB,
      minimum: 1024,
      maximum: 1024 * MIB,
      description:
        'Largest request body. Too low refuses real attachments (base64 adds a third to a file); each waiting request may hold this much memory.',
    }),
    PREFLIGHT_MAX_MESSAGES: Type.Integer({
      default: 250_000,
      minimum: 1,
      maximum: 10_000_000,
      description: 'Most messages in one conversation.',
    }),
    PREFLIGHT_QUEUE_LIMIT_BYTES: Type.Integer({
      default: 512 * MIB,
      minimum: 1 * MIB,
      maximum: 1024 * 1024 * MIB,
      description:
        'Bytes of request bodies held at one time, received and waiting. Above it requests are refused with 503 and `Retry-After`. Must be at least the body limit.',
    }),
    PREFLIGHT_CACHE_MEMORY_BYTES: Type.Integer({
      default: 64 * MIB,
      minimum: 1 * MIB,
      maximum: 64 * 1024 * MIB,
      description:
        'Memory for remembered counts. Too low counts again what was known; an entry takes 150 bytes and more.',
    }),
    PREFLIGHT_DEADLINE_MS: Type.Integer({
      default: 120_000,
      minimum: 100,
      maximum: 3_600_000,
      description:
        'Longest time for one request; then its work is stopped, the thread is free again and the answer is 504.',
    }),
    PREFLIGHT_DRAIN_MS: Type.Integer({
      default: 25_000,
      minimum: 0,
      maximum: 3_600_000,
      description:
        'Time for running requests to finish after SIGTERM, before the process ends anyway. Keep it below the kill time of whatever stops the process (Docker 10 s, Kubernetes 30 s).',
    }),
    PREFLIGHT_CONTEXT_WINDOW: Type.Integer({
      default: 0,
      minimum: 0,
      maximum: 1_000_000_000,
      description:
        'Context window in tokens for models that are not in the catalog, when the request gives none. 0: such requests are refused, since a guess would destroy history or overflow.',
    }),
    PREFLIGHT_LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'], {
      default: 'info',
      description: 'Least severe log level that is written.',
    }),
  },
  { additionalProperties: false },
);

export type SettingName = keyof Static<typeof settingsSchema>;
