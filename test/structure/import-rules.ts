/** Who may import whom, one rule a room. `docs/architecture.md` tells why; `imports.test.ts` reads the sources. */
export interface ImportRule {
  /** Folder of the room. */
  readonly room: string;
  /** Rooms of ours that it may import, by package name without the scope. */
  readonly own: readonly string[];
  /** Outside libraries and Node modules that it may import; `node:*` allows all of Node's. */
  readonly outside: readonly string[];
  readonly why: string;
}

export const IMPORT_RULES: readonly ImportRule[] = [
  { room: 'shared/core', own: [], outside: [], why: 'core is pure: it imports nothing' },
  {
    room: 'shared/body',
    own: ['core'],
    outside: ['node:buffer', 'node:crypto', 'node:fs', 'node:stream'],
    why: 'body turns bytes into trees and back, reads no file but its own WebAssembly, and knows nothing of conversations',
  },
  {
    room: 'shared/formats',
    own: ['core'],
    outside: [],
    why: 'formats are pure: request in, conversation or edits out',
  },
  {
    room: 'shared/accounting',
    own: ['core'],
    outside: [],
    why: 'accounting is pure: messages in, countables out',
  },
  {
    room: 'shared/models',
    own: ['core'],
    outside: [],
    why: 'models is data and how names are matched to it',
  },
  {
    room: 'shared/contracts',
    own: ['core', 'accounting', 'formats'],
    outside: ['typebox'],
    why: 'contracts are schemas and types; the names in them come from where they are made',
  },
  {
    room: 'shared/client',
    own: ['core', 'contracts', 'formats'],
    outside: ['node:crypto', 'node:timers'],
    why: 'the client runs in other programs, which want nothing of the service but its words and pure code',
  },
  {
    room: 'shared/storage',
    own: ['core', 'contracts'],
    outside: ['lru-cache', 'lmdb', 'bullmq', 'ioredis', 'node:*'],
    why: 'storage alone touches lmdb, bullmq and ioredis',
  },
  {
    room: 'shared/runtime',
    own: ['core'],
    outside: ['pino', 'prom-client', 'typebox', 'close-with-grace', 'node:*'],
    why: 'runtime alone reads process.env, and alone touches pino and prom-client',
  },
  {
    room: 'workers/tokenizer',
    own: ['core'],
    outside: ['tiktoken', 'node:buffer', 'node:crypto', 'node:fs', 'node:worker_threads'],
    why: 'the tokenizer runs in any thread, reads only its own tables, and alone touches tiktoken',
  },
  {
    room: 'workers/media',
    own: ['core'],
    outside: ['unpdf', 'node:buffer', 'node:zlib'],
    why: 'media reads hostile bytes, in any thread, and alone touches unpdf',
  },
  {
    room: 'workers/pool',
    own: ['core', 'contracts', 'media', 'tokenizer'],
    outside: ['piscina', 'node:*'],
    why: 'pool alone touches piscina',
  },
  {
    room: 'services/api',
    own: ['core', 'body', 'accounting', 'contracts', 'formats', 'models', 'runtime', 'storage', 'pool'],
    outside: ['fastify', '@fastify/*', 'typebox', 'node:*'],
    why: 'services never import each other; api alone touches fastify',
  },
  {
    room: 'services/coordinator',
    own: ['core', 'body', 'accounting', 'contracts', 'formats', 'models', 'runtime', 'storage', 'pool'],
    outside: ['node:*'],
    why: 'services never import each other; the coordinator knows no HTTP',
  },
  {
    room: 'services/cli',
    own: ['core', 'body', 'contracts', 'formats', 'runtime', 'storage', 'pool', 'api', 'coordinator'],
    outside: ['node:*'],
    why: 'cli alone composes api and coordinator into one process',
  },
];
