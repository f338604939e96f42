import type { Warning } from '@preflight/contracts';
import type { JsonObject } from '@preflight/core';
import { type Log, OncePerKey } from '@preflight/runtime';

/** Agents that are remembered as warned; forgetting one costs a second line in the log. */
const AGENTS_REMEMBERED = 10_000;

/** Logs that attachments count as text: answers say it every time, the log needs it once for each agent. */
export class AgentLog {
  readonly #log: Log;
  readonly #warned = new OncePerKey(AGENTS_REMEMBERED);

  constructor(log: Log) {
    this.#log = log;
  }

  note({ agent: given }: JsonObject, warnings: readonly Warning[]): void {
    if (!warnings.some(({ code }) => code === 'attachment_estimate')) return;
    const agent = typeof given === 'string' ? given : '';
    if (this.#warned.isFirst(agent))
      this.#log.warn({ code: 'attachment_estimate', agent }, 'attachments count as text for this agent');
  }
}
