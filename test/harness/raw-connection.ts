import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { HttpAnswer } from './http.js';
import { waitFor } from './wait-for.js';

/** A connection that is spoken to byte by byte; closed when the test is over. */
export class RawConnection {
  readonly #received: Buffer[] = [];
  /** Undefined, `end` (all was sent and closed in order) or an error such as ECONNRESET. */
  ended: string | undefined;

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk) => this.#received.push(chunk));
    socket.on('end', () => {
      this.ended ??= 'end';
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.ended ??= error.code ?? error.message;
    });
    socket.on('close', () => {
      this.ended ??= 'close';
    });
  }

  /** What comes is read at once; after `connection.socket.pause()` only so much as the system holds by itself. */
  static async to(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  send(bytes: string | Uint8Array): void {
    this.socket.write(bytes);
  }

  /** A POST of JSON; `headers` may say other things than what is sent. */
  post(path: string, body: string | Uint8Array, headers: Record<string, string | number> = {}): void {
    this.send(headOfPost(path, { 'content-length': Buffer.byteLength(body), ...headers }));
    this.send(body);
  }

  /** Sends the head of a request, and waits until the service has begun to take its body. */
  async beginUpload(head: string): Promise<void> {
    this.send(head.replace(/\r\n$/, 'expect: 100-continue\r\n\r\n'));
    await waitFor(() => this.text().includes('HTTP/1.1 100 '), {
      what: 'the body to be asked for',
      state: () => this.text(),
    });
  }

  text(): string {
    return Buffer.concat(this.#received).toString();
  }

  /** The first whole answer behind interim ones, and what came with it. */
  answer(): Promise<HttpAnswer> {
    return waitFor(() => firstAnswer(this.text()), {
      what: 'a whole answer',
      state: () => `${JSON.stringify(this.text().slice(0, 500))}, ended by ${this.ended}`,
    });
  }

  end(): Promise<string> {
    return waitFor(() => this.ended, { what: 'the end of the connection' });
  }
}

export function headOfPost(path: string, headers: Record<string, string | number> = {}): string {
  const lines = Object.entries({ host: 'x', 'content-type': 'application/json', ...headers });
  return `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

function firstAnswer(received: string): HttpAnswer | undefined {
  const text = received.replace(/^(HTTP\/1\.1 1\d\d [^\r]*\r\n\r\n)*/, '');
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const [statusLine, ...lines] = text.slice(0, headEnd).split('\r\n') as [string, ...string[]];
  const headers = Object.fromEntries(lines.map((line) => line.toLowerCase().split(': ', 2)));
  const payload = text.slice(headEnd + 4, headEnd + 4 + Number(headers['content-length']));
  if (Buffer.byteLength(payload) < Number(headers['content-length'])) return undefined;
  return { status: Number(statusLine.split(' ')[1]), headers, text: payload, body: JSON.parse(payload) };
}
