import type { ChildProcess } from 'node:child_process';

const running = new Set<ChildProcess>();

function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

function endBy(signal: NodeJS.Signals): void {
  killAll();
  process.kill(process.pid, signal);
}

process.on('exit', killAll);
// A signal of its own ends this process as it would have without us.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => endBy(signal));
// The runner of the tests is gone, so that nobody waits for them any more.
process.once('disconnect', () => endBy('SIGKILL'));

/** A process that does not outlive this one: tests that fail half-way, or are broken off, leave none behind. */
export function guarded<Child extends ChildProcess>(child: Child): Child {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}
