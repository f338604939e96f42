import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ERROR_CATALOG, type ErrorCode, PreflightError } from '@preflight/core';
import type { Log } from '@preflight/runtime';
import type { FastifyInstance } from 'fastify';
import { problemOf } from '../problems/problems.js';
import { failReceiving } from './fail-receiving.js';
import { discardAll } from './lingering-answer.js';
import { ongoingUploads } from './ongoing.js';

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Answers what is no request: a broken request line, headers without end, broken chunks, a request that does not come
 * in whole in its time. Where a body is broken, its request fails and is answered as any other; what cannot be told
 * from noise is answered by hand, behind the answers of the requests before it on its connection, which is then closed.
 */
export class ClientErrors {
  /** The newest request of each connection, which is the only one that can be incomplete. */
  readonly #newest = new WeakMap<Socket, Exchange>();
  /** The parser complains anew about every packet behind a fault. */
  readonly #faulty = new WeakSet<Socket>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  /** To be called before `app` listens, and when it is watched (`watchRequests`). */
  watch(app: FastifyInstance): void {
    const { server } = app;
    server.on('request', (request, response) => this.#newest.set(request.socket, { request, response }));
    // Node would answer these three by itself, with something else than a problem: RFC 9110 §10.1.1 allows to pass over
    // an unknown expectation, §9.3.6 makes CONNECT a matter of proxies, and §7.2 wants the host named.
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
    server.on('connect', (_, stream) => {
      const socket = stream as Socket;
      // From here on it is nobody's, and an error that nobody hears ends the process.
      socket.on('error', () => socket.destroy());
      this.#answerInTurn(new PreflightError('method_not_allowed'), socket);
    });
    app.addHook('onRequest', (request, reply, done) => {
      if (request.raw.httpVersion !== '1.1' || request.headers.host !== undefined) return done();
      reply.header('connection', 'close');
      done(new PreflightError('malformed_http', { publicDetail: 'The Host header is missing.' }));
    });
  }

  /** Fastify's `clientErrorHandler`. */
  readonly handle = (fault: Error & { code?: string }, socket: Socket): void => {
    if (this.#faulty.has(socket)) return;
    const code = codeOf(fault.code);
    if (code === undefined || !socket.writable) {
      socket.destroy();
      return;
    }
    const newest = this.#newest.get(socket);
    if (code === 'request_timeout' && newest && ongoingUploads.has(newest.request)) return;
    this.#faulty.add(socket);
    const error = new PreflightError(code, { internalDetail: fault.code });
    if (newest && failReceiving(newest.request, error)) return;
    this.#answerInTurn(error, socket);
  };

  /** Behind the answers to the requests before it. */
  #answerInTurn(error: PreflightError, socket: Socket): void {
    const before = this.#newest.get(socket)?.response;
    if (before && !before.closed) before.once('close', () => this.#answer(error, socket));
    else this.#answer(error, socket);
  }

  #answer(error: PreflightError, socket: Socket): void {
    if (!socket.writable) return;
    const requestId = randomUUID();
    const { status, headers, body } = problemOf(error, { instance: '/', requestId });
    this.#log[ERROR_CATALOG[error.code].logLevel](
      { requestId, code: error.code, status, internal: error.internalDetail },
      'request refused',
    );
    const payload = Buffer.from(JSON.stringify(body));
    const head = Object.entries({ ...headers, 'content-length': payload.length, connection: 'close' })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n`);
    socket.end(payload);
    void discardAll(socket).then(() => socket.destroy());
  }
}

/** Undefined: the connection itself is broken, and nobody is there to be answered. */
function codeOf(fault: string | undefined): ErrorCode | undefined {
  if (fault === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  if (fault === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  return fault?.startsWith('HPE_') ? 'malformed_http' : undefined;
}
