import { randomUUID } from 'node:crypto';
import type {
  BatchResult,
  CalibrationRequest,
  CalibrationResponse,
  CalibrationsResponse,
  CheckRequest,
  CheckResponse,
  CountRequest,
  CountResponse,
  JobResponse,
  JobStateResponse,
  PreflightRequest,
  PreflightResponse,
  TrimmedResponse,
  TrimRequest,
} from '@preflight/contracts';
import { type Edit, finish, isObject, type JsonObject } from '@preflight/core';
import { DEFAULT_FORMAT, detectFormat, FORMATS, type Format, type FormatName } from '@preflight/formats';
import { type BatchLines, type BatchOptions, runBatch } from './batch.js';
import { byDigest } from './by-digest.js';
import { ClientError, errorOfAnswer, errorOfSilence } from './client-error.js';
import { ClientJob } from './client-job.js';
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
  /**
   * The same request under the same key is the same job, whoever sends it, for as long as the service keeps its result:
   * done once, and answered alike. 1 to 255 visible ASCII characters. Absent: each call is done for itself, which costs
   * less; one that is tried again is counted again, to the same answer. `submit` draws a key where none is given.
   */
  readonly idempotencyKey?: string;
}

/** What the service answered, and the provider's request as it is to be sent now. */
export interface Preflighted<Answer = PreflightResponse> {
  readonly answer: Answer;
  /** The given request with the edits applied; of a flat one, its conversation fields. The given one is not changed. */
  readonly request: JsonObject;
}

/** Whatever a preflight is answered with. */
type Fitted = PreflightResponse | TrimmedResponse;

/** What the service said to a request, and the request after its edits; the given one where nothing was repaired. */
export interface Checked {
  readonly answer: CheckResponse;
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

  /**
   * Makes a conversation fit. A conversation that cannot fit rejects, with status 422, figures and hints; the strict
   * mode rejects none, and tells hazards.
   */
  preflight(body: TrimRequest, options?: CallOptions): Promise<Preflighted<TrimmedResponse>>;
  preflight(body: PreflightRequest, options?: CallOptions): Promise<Preflighted>;
  async preflight(body: PreflightRequest, options: CallOptions = {}): Promise<Preflighted<Fitted>> {
    const { sent, files, read } = this.#prepared(body);
    return read(await this.#negotiate<Fitted>('/v1/preflight', sent, files, options));
  }

  /**
   * Has a conversation made fit while the caller does something else: resolves when the service has taken it as a job,
   * files included. Bad requests reject here, a conversation that cannot fit where the result is asked for.
   */
  submit(body: TrimRequest, options?: CallOptions): Promise<ClientJob<Preflighted<TrimmedResponse>>>;
  submit(body: PreflightRequest, options?: CallOptions): Promise<ClientJob<Preflighted>>;
  async submit(body: PreflightRequest, options: CallOptions = {}): Promise<ClientJob<Preflighted<Fitted>>> {
    const { sent, files, read } = this.#prepared(body);
    // Else a call whose answer was lost on the way would be two jobs when it is tried again.
    const { idempotencyKey = randomUUID() } = options;
    const asJob = { ...options, idempotencyKey, isAsync: true };
    const { id } = await this.#negotiate<JobStateResponse>('/v1/preflight', sent, files, asJob);
    return new ClientJob(id, this.#jobCalls, (answer) => read(answer as Fitted));
  }

  /** Counts a conversation, or one text. */
  async count(body: CountRequest, options: CallOptions = {}): Promise<CountResponse> {
    if (body.text !== undefined) return this.#negotiate('/v1/count', body as JsonObject, new Map(), options);
    const format = formatOf(body);
    const sent = byDigest(format, providerRequest(body as JsonObject, format), this.#digesting());
    return this.#negotiate('/v1/count', withRequest(body as JsonObject, sent.request), sent.files, options);
  }

  /**
   * Whether the provider would take a request as it stands, and with `repair` the least change that mends it: the given one
   * with the edits applied. Files travel by digest, and none is uploaded for it.
   */
  async check(body: CheckRequest, options: Pick<CallOptions, 'signal'> = {}): Promise<Checked> {
    const format = formatOf(body);
    const given = providerRequest(body as JsonObject, format);
    const { request, files, restore } = byDigest(format, given, this.#digesting());
    const sent = withRequest(body as JsonObject, request);
    const answer = await this.#negotiate<CheckResponse>('/v1/check', sent, files, options);
    const edited = finish(format.apply(request, (answer.repaired?.edits ?? []) as Edit[]));
    return { answer, request: edited === request ? given : restore(edited) };
  }

  /**
   * Tells what the provider charged for a request, with the `text_estimate` that its count or preflight was answered with, so that
   * later estimates of the model are better. One that is tried again may be taken twice, which does no harm.
   */
  async calibrate(
    usage: CalibrationRequest,
    { signal }: Pick<CallOptions, 'signal'> = {},
  ): Promise<CalibrationResponse> {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(usage) };
    return jsonOf(await this.#call('/v1/calibrations', init, signal));
  }

  /** What was learned of models. */
  async calibrations({ signal }: Pick<CallOptions, 'signal'> = {}): Promise<CalibrationsResponse> {
    return jsonOf(await this.#call('/v1/calibrations', {}, signal));
  }

  /** Forgets what was learned of a model, or of all. */
  async resetCalibrations(model?: string, { signal }: Pick<CallOptions, 'signal'> = {}): Promise<void> {
    const path = model === undefined ? '' : `/${encodeURIComponent(model)}`;
    await (await this.#call(`/v1/calibrations${path}`, { method: 'DELETE' }, signal)).arrayBuffer();
  }

  /**
   * The results of many lines, in the order in which they are done, however many they are: lines are sent as fast as
   * results are taken, and what a broken connection loses is sent again. `open` gives the lines, the same each time.
   */
  batch(open: () => BatchLines, options: BatchOptions = {}): AsyncGenerator<BatchResult> {
    const { baseUrl, headers, fetch, retries, firstPauseMs } = this.#options;
    return runBatch({ baseUrl, headers, fetch, retries, firstPauseMs }, open, options);
  }

  /** Sends a file ahead of the requests that use it, under its digest (`sha256:…`, or the 64 digits alone). */
  async upload(bytes: Uint8Array, digest: string, { signal }: CallOptions = {}): Promise<void> {
    const path = `/v1/blobs/${digest.replace(/^sha256:/, '')}`;
    const headers = { 'content-type': 'application/octet-stream' };
    const answer = await this.#call(path, { method: 'PUT', headers, body: bytes }, signal);
    await answer.arrayBuffer();
  }

  readonly #jobCalls = {
    state: async (id: string, signal: AbortSignal | undefined): Promise<JobResponse> =>
      jsonOf(await this.#call(`/v1/jobs/${id}`, {}, signal)),
    cancel: async (id: string, signal: AbortSignal | undefined): Promise<JobStateResponse> =>
      jsonOf(await this.#call(`/v1/jobs/${id}`, { method: 'DELETE' }, signal)),
  };

  /** A conversation as it is sent, and how its answer is read. */
  #prepared(body: PreflightRequest) {
    const format = formatOf(body);
    const given = providerRequest(body as JsonObject, format);
    const { request, files, restore } = byDigest(format, given, this.#digesting());
    const read = <Answer extends Fitted>(answer: Answer): Preflighted<Answer> => {
      const edited = finish(format.apply(request, answer.edits as Edit[]));
      return { answer, request: edited === request ? given : restore(edited) };
    };
    return { sent: withRequest(body as JsonObject, request), files, read };
  }

  #digesting() {
    return { memory: this.#memory, minBytes: this.#options.minFileBytes };
  }

  /** Sends a request that names files by digest; uploads those that the service asks for, and sends it again. */
  async #negotiate<Answer>(
    path: string,
    body: JsonObject,
    files: ReadonlyMap<string, ClientFile>,
    { signal, idempotencyKey, isAsync = false }: CallOptions & { readonly isAsync?: boolean },
  ): Promise<Answer> {
    const init = {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(isAsync && { prefer: 'respond-async' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      body: JSON.stringify(body),
    };
    for (let round = 0; ; round++) {
      try {
        const answer = await this.#call(path, init, signal);
        if (answer.status !== 202 || isAsync) return await jsonOf<Answer>(answer);
        // A call with a key that takes longer than the service lets it wait has become a job.
        const { id } = await jsonOf<JobStateResponse>(answer);
        const job = new ClientJob(id, this.#jobCalls, (result) => result as Answer);
        return await job.result(signal ? { signal } : {});
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
        throw errorOfSilence(baseUrl, cause);
      });
      if (!answer.ok) throw await errorOfAnswer(answer);
      return answer;
    };
    return retrying(attempt, { retries, firstPauseMs, maxPauseMs: MAX_PAUSE_MS }, signal);
  }
}

function jsonOf<Body>(answer: Response): Promise<Body> {
  return answer.json() as Promise<Body>;
}

/** The files that the service asks for; none if it asks for any that are not ours. */
function missingOf(error: unknown, files: ReadonlyMap<string, ClientFile>): ClientFile[] {
  if (!(error instanceof ClientError) || error.code !== 'unknown_digests') return [];
  const missing = (error.problem?.missing ?? []).map((digest) => files.get(digest));
  return missing.every((file) => file !== undefined) ? missing : [];
}

/** As the service tells it. */
function formatOf(body: { readonly format?: string | undefined; readonly request?: unknown }): Format {
  if (body.format === undefined && isObject(body.request)) return detectFormat(body.request);
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
