// `npm run bench`: installs the contenders when they are missing, builds the product, then measures.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { isInstalled } from './installed.mjs';

const here = import.meta.dirname;
const root = join(here, '../..');

function npm(...argv) {
  const { status } = spawnSync('npm', argv, { cwd: root, stdio: ['ignore', process.stderr, process.stderr] });
  if (status !== 0) process.exit(status ?? 1);
}

if (!isInstalled()) npm('ci', '--prefix', here, '--ignore-scripts', '--no-audit', '--no-fund');
npm('run', 'build', '--silent');
await import('./main.mjs');
