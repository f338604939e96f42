import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { problemOf } from '@preflight/api';
import { PreflightError } from '@preflight/core';
import type { Backend } from './backend.js';

export interface HealthServer {
  /** Resolves with the address that it listens on. */
  listen(options: { host: string; port: number }): Promise<string>;
  close(): Promise<void>;
}

/** `/health/live`, `/health/ready` and `/metrics`, as the API has them, for a process that takes no requests. */
export function startHealthServer(service: Pick<Backend, 'ready' | 'metrics'>): HealthServer {
  const server = createServer(async ({ url }, response) => {
    if (url === '/health/live') return answer(response, 200, { status: 'live' });
    if (url === '/metrics') {
      response.writeHead(200, { 'content-type': service.metrics.contentType });
      return response.end(await service.metrics.text());
    }
    const refusal = url === '/health/ready' ? await service.ready() : new PreflightError('not_found');
    if (refusal === undefined) return answer(response, 200, { status: 'ready' });
    const { status, headers, body } = problemOf(refusal, { instance: url ?? '', requestId: randomUUID() });
    answer(response, status, body as object, headers);
  });
  return {
    async listen(options) {
      server.listen(options);
      await once(server, 'listening');
      const { address, port } = server.address() as AddressInfo;
      return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
    },
    async close() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function answer(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(body));
}
