import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg } from 'node:os';

/** What the figures depend on, as it was before the run. */
export function describeMachine() {
  return {
    at: new Date().toISOString(),
    commit: currentCommit(),
    node: process.version,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    load: Number(loadavg()[0].toFixed(2)),
  };
}

/** With `+` when files differ from it. */
function currentCommit() {
  try {
    const git = (...args) => execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') ? '+' : '');
  } catch {
    return 'unknown';
  }
}

/** One line of prose. */
export function machineLine({ at, commit, node, cpu, cores, load }) {
  return `${at.slice(0, 10)}, commit ${commit}, Node ${node.slice(1)}, ${cpu}, ${cores} cores, load ${load} at the start`;
}
