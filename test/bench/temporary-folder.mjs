import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Does something with a new empty folder, and removes it.
 * @template Result
 * @param {(folder: string) => Promise<Result>} work
 */
export async function withTemporaryFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'preflight-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
