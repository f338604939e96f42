import { type IncomingHttpHeaders, type RequestOptions, request } from 'node:http';
import type { Socket } from 'node:net';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  readonly body: any;
}

export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  /** Nothing is sent after these; with `isEndless` the request is left open behind them. */
  readonly body?: string | Uint8Array | readonly Uint8Array[];
  readonly isEndless?: boolean;
  readonly signal?: AbortSignal;
  /** Told once the request is on its way. */
  readonly onSocket?: (socket: Socket) => void;
  /** Told when the whole request has left this process: a caller that leaves after it does not leave half a body. */
  readonly onSent?: () => void;
  /** Told when the service says that it expects the body, of which it was asked by `expect: 100-continue`. */
  readonly onContinue?: () => void;
}

/** One request on a connection of its own. */
export function send(url: string, sent: Sent): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const options: RequestOptions = { method: sent.method ?? 'POST', headers: sent.headers, agent: false };
    if (sent.signal) options.signal = sent.signal;
    const call = request(new URL(sent.path, url), options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parsed(text) });
      });
    });
    call.on('error', reject);
    if (sent.onSocket) call.on('socket', sent.onSocket);
    if (sent.onSent) call.on('finish', sent.onSent);
    if (sent.onContinue) call.on('continue', sent.onContinue);
    for (const chunk of chunksOf(sent.body)) call.write(chunk);
    if (sent.isEndless) call.flushHeaders();
    else call.end();
  });
}

export function post(url: string, path: string, payload: unknown, more: Partial<Sent> = {}) {
  const body = Buffer.from(JSON.stringify(payload));
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
  return send(url, { path, body, ...more, headers: { ...headers, ...more.headers } });
}

export function get(url: string, path: string) {
  return send(url, { path, method: 'GET' });
}

function chunksOf(body: Sent['body']): readonly (string | Uint8Array)[] {
  if (body === undefined) return [];
  return typeof body === 'string' || body instanceof Uint8Array ? [body] : body;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
