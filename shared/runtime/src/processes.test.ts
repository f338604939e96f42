import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';

/** Runs a script with the built package, and gives what it wrote and how it ended. */
async function run(script: string, whenReady?: (child: ReturnType<typeof spawn>) => void) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: import.meta.dirname });
  let stderr = '';
  let isReady = false;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    if (isReady || !stderr.includes('ready')) return;
    isReady = true;
    whenReady?.(child);
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  const [code, signal] = await once(child, 'close');
  const lines = stderr.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
  return { code, signal, stdout, lines };
}

const SERVICE = `
  import { createLog, stopGracefully } from '@preflight/runtime';
  const log = createLog('info');
  const alive = setInterval(() => undefined, 1000);
`;
const terminate = (child: ReturnType<typeof spawn>) => child.kill('SIGTERM');

test('the log writes JSON lines on standard error, from its level on', async () => {
  const { code, stdout, lines } = await run(`
    import { createLog } from '@preflight/runtime';
    const log = createLog('warn');
    log.info('no');
    log.warn({ sizeBytes: 5 }, 'yes');
  `);
  expect([code, stdout]).toEqual([0, '']);
  expect(lines).toEqual([{ level: 40, time: expect.any(String), sizeBytes: 5, msg: 'yes' }]);
});

describe('stopGracefully', () => {
  test('stops once after a signal and exits with 0', async () => {
    const { code, lines } = await run(
      `${SERVICE}
      stopGracefully(async () => log.info('stop'), { drainMs: 10_000, log });
      log.info('ready');`,
      terminate,
    );
    expect(code).toBe(0);
    expect(lines.map(({ msg }) => msg)).toEqual(['ready', 'stopping', 'stop', 'stopped']);
  });

  test.each(['SIGSEGV', 'SIGBUS'] as const)('does not stand in the way of %s', async (fault) => {
    const { signal, lines } = await run(
      `${SERVICE}
      stopGracefully(async () => undefined, { drainMs: 10_000, log });
      log.info('ready');`,
      (child) => child.kill(fault),
    );
    expect(signal).toBe(fault);
    expect(lines.map(({ msg }) => msg)).toEqual(['ready']);
  });

  test.each([0, 50])('does not wait longer than a drain time of %i ms', async (drainMs) => {
    const { code, lines } = await run(
      `${SERVICE}
      stopGracefully(() => new Promise(() => undefined), { drainMs: ${drainMs}, log });
      log.info('ready');`,
      terminate,
    );
    expect(code).toBe(1);
    const message = `not everything has stopped within ${drainMs} ms`;
    expect(lines.at(-1)).toMatchObject({ msg: 'stopping has failed', err: { message } });
  });

  test('exits with 1 when stopping fails, and says why', async () => {
    const { code, lines } = await run(
      `${SERVICE}
      stopGracefully(async () => { throw new Error('stuck'); }, { drainMs: 10_000, log });
      log.info('ready');`,
      terminate,
    );
    expect(code).toBe(1);
    expect(lines.at(-1)).toMatchObject({ msg: 'stopping has failed', err: { message: 'stuck' } });
  });

  test('stops after an error that nobody caught, and exits with 1', async () => {
    const { code, lines } = await run(`${SERVICE}
      stopGracefully(async () => log.info('stop'), { drainMs: 10_000, log });
      setImmediate(() => { throw new Error('bug'); });
    `);
    expect(code).toBe(1);
    expect(lines[0]).toMatchObject({ level: 60, err: { message: 'bug' } });
    expect(lines.map(({ msg }) => msg)).toContain('stop');
  });
});
