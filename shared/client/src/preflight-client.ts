import type {
  BatchResult,
  CountRequest,
  CountResponse,
  PreflightRequest,
  PreflightResponse,
} from '@preflight/contracts';
import { type Edit, finish, type JsonObject } from '@preflight/core';
import { DEFAULT_FORMAT, FORMATS, type Format, type FormatName } from '@preflight/formats';
import { type BatchLines, type BatchOptions, runBatch } from './batch.js';
import { byDigest } from './by-digest.js';
import { ClientError, errorOfAnswer } from './client-error.js';
import { type ClientFile, FileMemory } from './file-memory.js';
import { retrying } from './retrying.js';

export interface PreflightClientOptions {
  /** Where the service is, such as `http://127.0.0.1:8787`. */
  readonly baseUrl: string;
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Files whose base64 is as long as this travel apart, once. Shorter ones are not worth a call. Default 16 KiB. */
  readonly minFileBytes?: number;
  /** How often a call that failed in passing is made again: service full, away or stopping. Default 5. */
  readonly retries?: number;
  /** The pause before the first repetition, about; it doubles from one to the next, up to 10 s. Default 200. */
  readonly firstPauseMs?: number;
  /** How long one call may take. Default 150 s, which is more than the service takes by default. */
  readonly timeoutMs?: number;
  /** In place of Node's own. */
  readonly fetch?: typeof fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** What the service answered, and the provider's request as it is to be sent now. */
export interface Preflighted {
  readonly answer: PreflightResponse;
  /** The given request with the edits applied; of a flat one, its conversation fields. The given one is not changed. */
  readonly request: JsonObject;
}

const MAX_PAUSE_MS = 10_000;

/** Uploads at a time. */
const UPLOADS_AT_ONCE = 3;

/** Files that expire between their upload and their use are uploaded again, but not for ever. */
const MAX_UPLOAD_ROUNDS = 3;

/**
 * Talks to a Preflight service. Large attachments are named by digest, and uploaded only if the service says that it
 * does not know them: a conversation that is sent turn by turn sends each of its files once. Edits are applied here, so
 * that no megabytes come back.
 *
 * Calls reject with ClientError: the service's code, figures and hints. Failures that may pass are tried again first.
 */
export class PreflightClient {
  readonly #options: Required<Omit<PreflightClientOptions, 'headers'>> &
    Pick<PreflightClientOptions, 'headers'>;
  readonly #memory = new FileMemory();

  constructor(options: PreflightClientOptions) {
    this.#options = {
      minFileBytes: 16 * 1024,
      retries: 5,
      firstPauseMs: 200,
      timeoutMs: 150_000,
      fetch: globalThis.fetch,
      ...options,
    };
  }

  /** Makes a conversation fit. A conversation that cannot fit rejects, with status 422, figures and hints. */
  async preflight(body: PreflightRequest, options: CallOptions = {}): Promise<Preflighted> {
    const format = formatOf(body);
    const given = providerRequest(body as JsonObject, format);
    const sent = byDigest(format, given, this.#digesting());
    const answer = await this.#negotiate<PreflightResponse>(
      '/v1/preflight',
      withRequest(body as JsonObject, sent.request),
      sent.files,
      options,
    );
    const edited = finish(format.apply(sent.request, answer.edits as Edit[]));
    return { answer, request: edited === sent.request ? given : sent.restore(edited) };
  }

  /** Counts a conversation, or one text. */
  async count(body: CountRequest, options: CallOptions = {}): Promise<CountResponse> {
    if (body.text !== undefined) return this.#negotiate('/v1/count', body as JsonObject, new Map(), options);
    const format = formatOf(body);
    const sent = byDigest(format, providerRequest(body as JsonObject, format), this.#digesting());
    return this.#negotiate('/v1/count', withRequest(body as JsonObject, sent.request), sent.files, options);
  }

  /**
   * The results of many lines, in the order in which they are done, however many they are: lines are sent as fast as
   * results are taken, and what a broken connection loses is sent again. `open` gives the lines, the same each time.
   */
  batch(open: () => BatchLines, options: BatchOptions = {}): AsyncGenerator<BatchResult> {
    const { baseUrl, headers, fetch, retries, firstPauseMs } = this.#options;
    return runBatch({ baseUrl, headers, fetch, retries, firstPauseMs }, open, options);
  }

  /** Sends a file ahead of the requests that use it; answers the digest by which they name it. */
  async upload(bytes: Uint8Array, digest: string, { signal }: CallOptions = {}): Promise<void> {
    const path = `/v1/blobs/${digest.replace(/^sha256:/, '')}`;
    const headers = { 'content-type': 'application/octet-stream' };
    const answer = await this.#call(path, { method: 'PUT', headers, body: bytes }, signal);
    await answer.arrayBuffer();
  }

  #digesting() {
    return { memory: this.#memory, minBytes: this.#options.minFileBytes };
  }

  /** Sends a request that names files by digest; uploads those that the service asks for, and sends it again. */
  async #negotiate<Answer>(
    path: string,
    body: JsonObject,
    files: ReadonlyMap<string, ClientFile>,
    { signal }: CallOptions,
  ): Promise<Answer> {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    for (let round = 0; ; round++) {
      try {
        const answer = await this.#call(path, init, signal);
        return (await answer.json()) as Answer;
      } catch (error) {
        const missing = missingOf(error, files);
        if (missing.length === 0 || round === MAX_UPLOAD_ROUNDS) throw error;
        await this.#uploadAll(missing, signal);
      }
    }
  }

  async #uploadAll(files: readonly ClientFile[], signal: AbortSignal | undefined): Promise<void> {
    const left = files.values();
    const lane = async () => {
      for (const file of left) await this.upload(file.bytes(), file.digest, signal ? { signal } : {});
    };
    await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, lane));
  }

  /** One call, tried again while its failures may pass. */
  #call(path: string, init: RequestInit, signal: AbortSignal | undefined): Promise<Response> {
    const { baseUrl, headers, timeoutMs, fetch, retries, firstPauseMs } = this.#options;
    const attempt = async () => {
      const timeout = AbortSignal.timeout(timeoutMs);
      const answer = await fetch(new URL(path, baseUrl), {
        ...init,
        headers: { ...headers, ...(init.headers as Record<string, string>) },
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      }).catch((cause: unknown) => {
        signal?.throwIfAborted();
        throw new ClientError('unreachable', 'the service did not answer', { cause });
      });
      if (!answer.ok) throw await errorOfAnswer(answer);
      return answer;
    };
    return retrying(attempt, { retries, firstPauseMs, maxPauseMs: MAX_PAUSE_MS }, signal);
  }
}

/** The files that the service asks for; none if it asks for any that are not ours. */
function missingOf(error: unknown, files: ReadonlyMap<string, ClientFile>): ClientFile[] {
  if (!(error instanceof ClientError) || error.code !== 'unknown_digests') return [];
  const missing = (error.problem?.missing ?? []).map((digest) => files.get(digest));
  return missing.every((file) => file !== undefined) ? missing : [];
}

function formatOf(body: { readonly format?: string | undefined }): Format {
  const format: Format | undefined = FORMATS[(body.format ?? DEFAULT_FORMAT) as FormatName];
  if (format === undefined) throw new ClientError('unknown_format', 'there is no format of this name');
  return format;
}

/** The provider's request in a body, as the service sees it. */
function providerRequest(body: JsonObject, { flatFields }: Format): JsonObject {
  if (body.request !== undefined) return body.request as JsonObject;
  const given = flatFields.filter((name) => body[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, body[name]])) as JsonObject;
}

function withRequest(body: JsonObject, request: JsonObject): JsonObject {
  return body.request === undefined ? { ...body, ...request } : { ...body, request };
}
