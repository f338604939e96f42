import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A new empty folder, removed when the test is over. */
export async function tempDir(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'preflight-test-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}
