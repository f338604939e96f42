import type { ChildProcess } from 'node:child_process';

const running = new Set<ChildProcess>();

function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

process.on('exit', killAll);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    killAll();
    process.kill(process.pid, signal);
  });

/** A process that does not outlive this one: tests that fail half-way, or are broken off, leave none behind. */
export function guarded<Child extends ChildProcess>(child: Child): Child {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}
