// `npm run bench`: installs the contenders when they are missing, builds the product, then measures.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
const root = join(here, '../..');

function npm(...argv) {
  const { status } = spawnSync('npm', argv, { cwd: root, stdio: ['ignore', process.stderr, process.stderr] });
  if (status !== 0) process.exit(status ?? 1);
}

if (!existsSync(join(here, 'node_modules/.package-lock.json')))
  npm('ci', '--prefix', here, '--ignore-scripts', '--no-audit', '--no-fund');
npm('run', 'build', '--silent');
await import('./main.mjs');
