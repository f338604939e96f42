import { availableParallelism } from 'node:os';
import { describe, expect, test } from 'vitest';
import { ConfigError, printableConfig, readConfig } from './config.js';
import { settingsSchema } from './settings.js';

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

describe('defaults', () => {
  test('are those that others rely on', () => {
    const config = readConfig({ XDG_CACHE_HOME: '/var/cache' });
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 8787,
      dataDir: '/var/cache/preflight',
      threads: availableParallelism(),
      bodyLimitBytes: 64 * 1024 * 1024,
      defaultContextWindowTokens: undefined,
      logLevel: 'info',
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  test('stand in for empty values', () => {
    expect(readConfig({ PREFLIGHT_PORT: '', PREFLIGHT_HOST: '' })).toMatchObject({
      port: 8787,
      host: '127.0.0.1',
    });
  });

  test('are left alone by one reading for the next', () => {
    readConfig({ PREFLIGHT_PORT: '1' });
    expect(readConfig({}).port).toBe(8787);
  });
});

test('values are read in their type', () => {
  const config = readConfig({
    PREFLIGHT_PORT: '0',
    PREFLIGHT_DATA_DIR: '/data',
    PREFLIGHT_THREADS: '3',
    PREFLIGHT_CONTEXT_WINDOW: '8192',
    PREFLIGHT_LOG_LEVEL: 'silent',
    PATH: '/bin',
  });
  expect(config).toMatchObject({ port: 0, dataDir: '/data', threads: 3, logLevel: 'silent' });
  expect(config.defaultContextWindowTokens).toBe(8192);
  expect(readConfig({ PREFLIGHT_DATA_DIR: 'none' }).dataDir).toBeUndefined();
});

describe('addresses of Redis', () => {
  const urls = {
    PREFLIGHT_QUEUE_REDIS_URL: 'rediss://me:secret@queue.example:6380/2?tls=secret',
    PREFLIGHT_CACHE_REDIS_URL: 'redis://cache.example',
  };

  test('are printed without what is secret in them', () => {
    const config = readConfig(urls);
    expect(config.queueRedisUrl).toBe(urls.PREFLIGHT_QUEUE_REDIS_URL);
    expect(printableConfig(config)).toEqual({
      ...config,
      queueRedisUrl: 'rediss://***@queue.example:6380/2',
      cacheRedisUrl: 'redis://cache.example',
    });
    expect(printableConfig(readConfig({})).queueRedisUrl).toBeUndefined();
    const odd = { ...config, queueRedisUrl: 'redis://secret:x@:y' };
    expect(JSON.stringify(printableConfig(odd))).not.toContain('secret');
  });

  test('that are none are a fault, which does not repeat them', () => {
    const faults = faultsOf({ PREFLIGHT_QUEUE_REDIS_URL: 'http://me:secret@host' });
    expect(faults).toEqual([expect.stringMatching(/^PREFLIGHT_QUEUE_REDIS_URL: /)]);
    expect(faults[0]).not.toContain('secret');
  });

  test('of counts alone are a fault, and so are texts that go before the deadline', () => {
    const { PREFLIGHT_QUEUE_REDIS_URL, ...ofCounts } = urls;
    expect(faultsOf(ofCounts)).toEqual([expect.stringMatching(/^PREFLIGHT_CACHE_REDIS_URL: needs /)]);
    const lifetimes = { PREFLIGHT_DEADLINE_MS: '1000', PREFLIGHT_PAYLOAD_LIFETIME_MS: '1000' };
    expect(faultsOf(lifetimes)).toEqual([]);
    expect(faultsOf({ ...urls, ...lifetimes })).toEqual([
      expect.stringMatching(/^PREFLIGHT_PAYLOAD_LIFETIME_MS: must exceed PREFLIGHT_DEADLINE_MS/),
    ]);
  });
});

describe('faults', () => {
  test('are told all at once, each with its setting', () => {
    const faults = faultsOf({
      PREFLIGHT_PROT: '80',
      PREFLIGHT_PORT: '65536',
      PREFLIGHT_THREADS: 'many',
      PREFLIGHT_LOG_LEVEL: 'loud',
    });
    const names = faults.map((fault) => fault.split(':')[0]).sort();
    expect(names).toEqual(['PREFLIGHT_LOG_LEVEL', 'PREFLIGHT_PORT', 'PREFLIGHT_PROT', 'PREFLIGHT_THREADS']);
    expect(faults.find((fault) => fault.startsWith('PREFLIGHT_PORT'))).toMatch(/65535, got 65536$/);
  });

  test.each(['1.5', '1e3', '0x10', ' 80', 'NaN', '-1', '99999999999999999'])('port %j', (port) => {
    expect(faultsOf({ PREFLIGHT_PORT: port })).toHaveLength(1);
  });

  test.each(boundsOfSettings())('%s below its bound or above it', (name, low, high) => {
    expect(faultsOf({ [name]: String(low - 1) })).not.toEqual([]);
    expect(faultsOf({ [name]: String(high + 1) })).not.toEqual([]);
  });

  test('a queue that never admits the largest body', () => {
    const [fault] = faultsOf({
      PREFLIGHT_BODY_LIMIT_BYTES: '2097152',
      PREFLIGHT_QUEUE_LIMIT_BYTES: '1048576',
    });
    expect(fault).toMatch(/^PREFLIGHT_QUEUE_LIMIT_BYTES: must be at least PREFLIGHT_BODY_LIMIT_BYTES/);
  });

  test('stand in the message, for whoever prints it', () => {
    expect(() => readConfig({ PREFLIGHT_PROT: '80' })).toThrow(/PREFLIGHT_PROT: unknown setting/);
  });
});

function boundsOfSettings(): [name: string, low: number, high: number][] {
  return Object.entries(settingsSchema.properties).flatMap(([name, property]) =>
    'minimum' in property && 'maximum' in property
      ? [[name, property.minimum as number, property.maximum as number]]
      : [],
  );
}
