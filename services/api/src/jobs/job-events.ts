import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { JobStateResponse } from '@preflight/contracts';
import type { FastifyReply } from 'fastify';
import { whenAborted } from '../connections/when-aborted.js';
import type { JobCalls } from './job-calls.js';

/** How often something is sent while nothing changes: proxies close what is silent for longer, mostly from 30 s on. */
const HEARTBEAT_MS = 10_000;

/** The same once the caller has finished sending, which may mean that it has left: that shows when something is sent. */
const PROBE_MS = 250;

/** How long a caller may take nothing of what is sent; then the connection is closed. */
const STALL_MS = 60_000;

const FINAL = new Set(['completed', 'failed', 'cancelled']);

export interface JobEventsParts {
  readonly id: string;
  readonly calls: Pick<JobCalls, 'state' | 'watch'>;
  /** Aborted when the caller has gone. */
  readonly over: AbortSignal;
  readonly connection: Socket;
  /** Aborted when the service stops: the caller connects again, to another process. */
  readonly draining: AbortSignal;
  readonly heartbeatMs?: number;
}

/**
 * Sends the state of a job, now and whenever it changes, as server-sent events, and ends with the final one. Of states
 * that come faster than the caller takes them only the latest is sent. Throws what `calls.state` does before the first.
 */
export async function sendJobEvents(reply: FastifyReply, parts: JobEventsParts): Promise<FastifyReply> {
  const first = await parts.calls.state(parts.id);
  reply.header('content-type', 'text/event-stream').header('cache-control', 'no-store');
  // Or nginx collects events before it passes them on.
  reply.header('x-accel-buffering', 'no');
  const drop = () => reply.raw.destroy();
  return reply.send(Readable.from(eventsOf(first, parts, drop), { highWaterMark: 1 }));
}

async function* eventsOf(
  first: JobStateResponse,
  parts: JobEventsParts,
  drop: () => void,
): AsyncGenerator<string> {
  const { id, calls, over, draining, connection, heartbeatMs = HEARTBEAT_MS } = parts;
  const bell = new Bell();
  const unwatch = calls.watch(id, () => bell.ring());
  // Its changes may be told to nobody, when it is forgotten.
  const beatEvery = (ms: number) => setInterval(() => bell.ring(), ms);
  let heart = beatEvery(heartbeatMs);
  const probe = () => {
    clearInterval(heart);
    heart = beatEvery(PROBE_MS);
  };
  connection.once('end', probe);
  const ring = () => bell.ring();
  for (const signal of [over, draining]) whenAborted(signal, ring);
  let stall: NodeJS.Timeout | undefined;
  try {
    let told = '';
    for (let state = first; !over.aborted && !draining.aborted; state = await calls.state(id)) {
      const data = JSON.stringify(state);
      stall = setTimeout(drop, STALL_MS);
      yield data === told ? ':\n\n' : `event: state\ndata: ${data}\n\n`;
      clearTimeout(stall);
      told = data;
      if (FINAL.has(state.status)) return;
      await bell.rung();
    }
  } catch {
    // The job is unknown now, or its store is away: the caller connects again and is told so.
  } finally {
    clearTimeout(stall);
    clearInterval(heart);
    connection.off('end', probe);
    draining.removeEventListener('abort', ring);
    unwatch();
  }
}

/** Wakes one who waits; rings that nobody has waited for count as one. */
class Bell {
  #hasRung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#hasRung = true;
    this.#wake?.();
  }

  async rung(): Promise<void> {
    if (!this.#hasRung)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    this.#hasRung = false;
  }
}
