import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { readConfig } from '@preflight/runtime';
import { Redis } from 'ioredis';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { startProcess } from '../harness/child-process.js';
import { freePort } from '../harness/free-port.js';
import { post } from '../harness/http.js';
import { redisProgram } from '../harness/redis-program.js';
import { answers } from '../harness/redis-server.js';
import { MAIN } from '../harness/server-process.js';
import { tempDir } from '../harness/temp-dir.js';
import { waitFor } from '../harness/wait-for.js';

interface Service {
  readonly image: string;
  readonly command: readonly string[];
  readonly environment?: Record<string, string>;
  readonly ports?: readonly string[];
  readonly healthcheck: { readonly test: readonly string[] };
  readonly stop_grace_period?: string;
}

const { services }: { services: Record<string, Service> } = parse(
  readFileSync('docker-compose.yml', 'utf8'),
  { merge: true },
);
const service = (name: string) => services[name] ?? expect.fail(`no service ${name}`);
const dockerfile = readFileSync('Dockerfile', 'utf8');
const run = promisify(execFile);

/** The health check of a service, on another port. */
async function checkHealth(name: string, port: number): Promise<unknown> {
  const [kind, program, ...argv] = service(name).healthcheck.test as [string, string, ...string[]];
  expect(kind).toBe('CMD');
  if (program === 'redis-cli') {
    expect(argv).toEqual(['ping']);
    return expect(await answers(port, 'PING', '+PONG')).toBe(true);
  }
  expect(program).toBe('node');
  return run(
    process.execPath,
    argv.map((text) => text.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`)),
  );
}

/** The Redis of a service as it is started there, but for port and folder. */
async function startRedis(name: string): Promise<string> {
  const [program, ...argv] = service(name).command as [string, ...string[]];
  expect(program).toBe('redis-server');
  const port = await freePort();
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', await tempDir()];
  startProcess(await redisProgram(), [...argv, ...place]);
  await waitFor(
    () =>
      checkHealth(name, port).then(
        () => true,
        () => false,
      ),
    { what: name },
  );
  return `redis://127.0.0.1:${port}`;
}

describe('docker-compose.yml', () => {
  test('has the two Redis, an API and coordinators that can be scaled', () => {
    expect(Object.keys(services).sort()).toEqual(['api', 'cache', 'coordinator', 'queue']);
    expect(service('coordinator')).not.toHaveProperty('ports');
    expect(service('coordinator')).not.toHaveProperty('container_name');
  });

  test.each(['api', 'coordinator'])('gives %s settings that exist and agree', (name) => {
    const { environment = {}, stop_grace_period = '' } = service(name);
    const config = readConfig(environment);
    expect([config.queueRedisUrl, config.cacheRedisUrl]).toEqual([
      'redis://queue:6379',
      'redis://cache:6379',
    ]);
    expect(config.drainMs).toBeLessThan(Number.parseInt(stop_grace_period, 10) * 1000);
  });

  test('publishes the port that the API listens on, on this machine only', () => {
    expect(service('api').ports).toEqual([`127.0.0.1:8787:${readConfig({}).port}`]);
  });

  test('has commands that work: Redis as it should be, API, coordinator, health checks', async () => {
    const [queueUrl, cacheUrl] = await Promise.all([startRedis('queue'), startRedis('cache')]);
    const addresses = { PREFLIGHT_QUEUE_REDIS_URL: queueUrl, PREFLIGHT_CACHE_REDIS_URL: cacheUrl };
    expect(await policyOf(queueUrl)).toEqual(['yes', 'always', 'noeviction', 1024 ** 3]);
    expect(await policyOf(cacheUrl)).toMatchObject(['no', expect.anything(), 'allkeys-lfu', 512 * 1024 ** 2]);

    const ports = { api: await freePort(), coordinator: await freePort() };
    const outputs = Object.entries(ports).map(([name, port]) => {
      const { command, environment } = service(name);
      const argv = [...command.map((word) => (/^\d+$/.test(word) ? String(port) : word))];
      const settings = { ...environment, ...addresses, PREFLIGHT_PORT: String(port) };
      return startProcess(process.execPath, [MAIN, ...argv], settings);
    });
    for (const [name, port] of Object.entries(ports))
      await waitFor(
        () =>
          checkHealth(name, port).then(
            () => true,
            () => false,
          ),
        {
          what: `health of ${name}`,
          state: () => outputs.map((output) => output()).join('\n'),
        },
      );
    const answer = await post(`http://127.0.0.1:${ports.api}`, '/v1/count', {
      text: 'a b',
      encoding: 'gpt2',
    });
    expect([answer.status, answer.body.tokens]).toEqual([200, 2]);
    // Nothing to complain about: the stores are as the settings say that they should be.
    for (const output of outputs) expect(output()).not.toContain('"level":40');
    await expect(checkHealth('api', 1)).rejects.toThrow();
  });
});

describe('Dockerfile', () => {
  test('runs the command that there is, not as root, on an image of Node 22', () => {
    const [, entry] = /^ENTRYPOINT (\[.*\])$/m.exec(dockerfile) ?? [];
    expect(JSON.parse(entry ?? '')).toEqual(['node', 'services/cli/dist/main.js']);
    expect(existsSync('services/cli/dist/main.js')).toBe(true);
    expect(dockerfile).toMatch(/^USER node$/m);
    const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(images).toEqual([expect.stringMatching(/^node:22-/), expect.stringMatching(/^node:22-/)]);
    const settings = [...dockerfile.matchAll(/^ENV (PREFLIGHT_\w+)=(\S+)$/gm)].map(([, name, value]) => [
      name,
      value,
    ]);
    expect(readConfig(Object.fromEntries(settings)).host).toBe('0.0.0.0');
  });

  test('copies what there is, and runs scripts that there are', () => {
    const copied = [...dockerfile.matchAll(/^COPY --from=build \/app\/(\S+)/gm)];
    expect(copied).toHaveLength(5);
    for (const [, path] of copied) expect(existsSync(path as string), path).toBe(true);
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const run = [...dockerfile.matchAll(/npm run (\w+)/g)];
    expect(run).toHaveLength(1);
    for (const [, script] of run) expect(scripts).toHaveProperty(script as string);
  });
});

async function policyOf(url: string) {
  const redis = new Redis(url);
  onTestFinished(() => void redis.disconnect());
  const value = async (name: string) => ((await redis.config('GET', name)) as string[])[1];
  const [appendOnly, fsync, policy, maxMemory] = await Promise.all(
    ['appendonly', 'appendfsync', 'maxmemory-policy', 'maxmemory'].map(value),
  );
  return [appendOnly, fsync, policy, Number(maxMemory)];
}
