import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type FastifyInstance, fastify } from 'fastify';

/** A Fastify app on a free port, to be spoken to byte by byte. */
export class LocalApp {
  readonly app: FastifyInstance = fastify({ forceCloseConnections: true });

  async listen(): Promise<void> {
    await this.app.listen({ host: '127.0.0.1', port: 0 });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async connect(): Promise<Socket> {
    const socket = connect(this.#port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }

  get #port(): number {
    return (this.app.server.address() as AddressInfo).port;
  }
}

/** The bytes of a POST of JSON; `announcedBytes` may differ from what is sent. */
export function post(path: string, body: string, announcedBytes: number | 'chunked' = body.length): string {
  const length =
    announcedBytes === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${announcedBytes}`;
  const payload = announcedBytes === 'chunked' ? `${body.length.toString(16)}\r\n${body}\r\n` : body;
  return `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${length}\r\n\r\n${payload}`;
}
