import { spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { withTemporaryFolder } from './temporary-folder.mjs';

const START_MS = 20_000;
const MAIN = join(import.meta.dirname, '../../services/cli/dist/main.js');

/** Does something with a real `preflight serve`, or another of its services, on a free port, its count cache in a new folder.
 * @template Result
 * @param {(url: string, child: import('node:child_process').ChildProcess) => Promise<Result>} work
 * @param {{ command?: 'serve' | 'api' | 'coordinator', env?: Record<string, string> }} [options]
 */
export function withServer(work, { command = 'serve', env: more = {} } = {}) {
  return withTemporaryFolder(async (folder) => {
    const env = { ...process.env, PREFLIGHT_PORT: '0', PREFLIGHT_DATA_DIR: folder, ...more };
    const child = spawn(process.execPath, [MAIN, command, '--port', '0'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    try {
      return await work(await listeningAddress(child), child);
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
  });
}

/** It is in the log, which goes to one of the two streams. */
function listeningAddress(child) {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error(`the server does not listen: ${output}`)), START_MS);
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output = (output + text).slice(-10_000);
        const address = /"address":"([^"]+)"/.exec(output)?.[1];
        if (!address) return;
        clearTimeout(timer);
        resolve(address);
      });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${output}`)));
  });
}

const agent = new Agent({ keepAlive: true });

/** One request over a kept connection: the answer and the time from sending to its last byte.
 * @param {string} url
 * @param {Buffer} [body] makes it a POST of JSON
 * @returns {Promise<{ ms: number, status: number, text: string }>}
 */
export function timedRequest(url, body) {
  const headers = body ? { 'content-type': 'application/json', 'content-length': body.length } : {};
  return new Promise((resolve, reject) => {
    const startMs = performance.now();
    const sent = request(url, { agent, method: body ? 'POST' : 'GET', headers }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk)).on('error', reject);
      response.on('end', () => {
        const ms = performance.now() - startMs;
        resolve({ ms, status: response.statusCode, text: Buffer.concat(chunks).toString() });
      });
    });
    sent.on('error', reject).end(body);
  });
}

/** Frees the kept connections, so that the server can end. */
export function closeConnections() {
  agent.destroy();
}
