import { expect, test } from 'vitest';
import { runCommand, startServer } from '../harness/server-process.js';

test('wrong settings end it with 78 and name every fault', async () => {
  const { code, stderr } = await runCommand(['serve'], {
    settings: {
      PREFLIGHT_PORT: '99999',
      PREFLIGHT_THREADS: 'many',
      PREFLIGHT_LOG_LEVEL: 'loud',
      PREFLIGHT_NO_SUCH_SETTING: '1',
      PREFLIGHT_DEADLINE_MS: '1',
      PREFLIGHT_BODY_LIMIT_BYTES: String(64 * 1024 * 1024),
      PREFLIGHT_QUEUE_LIMIT_BYTES: String(1024 * 1024),
    },
  });
  expect(code).toBe(78);
  for (const name of ['PORT', 'THREADS', 'LOG_LEVEL', 'NO_SUCH_SETTING', 'DEADLINE_MS', 'QUEUE_LIMIT_BYTES'])
    expect(stderr).toContain(`PREFLIGHT_${name}`);
  expect(stderr).not.toContain('    at ');
});

test('a port that is taken ends it with a code above 0', async () => {
  const { url } = await startServer();
  const { code, stderr, stdout } = await runCommand(['serve', '--port', new URL(url).port]);
  expect(code).toBeGreaterThan(0);
  expect(stderr + stdout).toContain('EADDRINUSE');
});
