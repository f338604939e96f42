import { fork } from 'node:child_process';
import { join } from 'node:path';

/** Runs a script of `processes/` to its only message; undefined if that takes longer than told.
 * @param {string} script
 * @param {string[]} argv
 * @returns {Promise<any>}
 */
export function runScript(script, argv, { timeoutMs = 60_000, execArgv = [] } = {}) {
  const child = fork(join(import.meta.dirname, 'processes', script), argv, { execArgv });
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    let answer;
    child.once('message', (message) => {
      answer = message;
      child.kill('SIGKILL');
    });
    child.once('exit', () => {
      clearTimeout(timer);
      resolve(answer);
    });
  });
}
