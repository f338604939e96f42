import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** `pass`: as if it were not there; `stall`: passes questions on and holds the answers; `refuse`: cuts every connection. */
export type ProxyBehaviour = 'pass' | 'stall' | 'refuse';

/** Stands between a client and a port, and can be told to be slow, silent or gone. */
export class TcpProxy {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [client: Socket, target: Socket]>();
  #behaviour: ProxyBehaviour = 'pass';
  /** Added to every packet from the server. */
  delayMs = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async to(targetPort: number): Promise<TcpProxy> {
    const server = createServer();
    const proxy = new TcpProxy(server);
    server.on('connection', (client) => proxy.#join(client, targetPort));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  get behaviour(): ProxyBehaviour {
    return this.#behaviour;
  }

  set behaviour(behaviour: ProxyBehaviour) {
    this.#behaviour = behaviour;
    for (const [client, target] of this.#pairs) {
      if (behaviour === 'refuse') client.destroy();
      if (behaviour === 'stall') target.pause();
      if (behaviour === 'pass') target.resume();
    }
  }

  async close(): Promise<void> {
    this.behaviour = 'refuse';
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(client: Socket, targetPort: number): void {
    if (this.#behaviour === 'refuse') return void client.destroy();
    const target = connect(targetPort, '127.0.0.1');
    const pair = [client, target] as const;
    this.#pairs.add(pair);
    client.on('data', (data) => target.write(data));
    target.on('data', (data) => {
      if (this.delayMs === 0) client.write(data);
      else setTimeout(() => client.destroyed || client.write(data), this.delayMs);
    });
    if (this.#behaviour === 'stall') target.pause();
    for (const socket of pair) {
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#pairs.delete(pair);
        client.destroy();
        target.destroy();
      });
    }
  }
}
