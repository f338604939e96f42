import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;

/** Whether all packages that the benchmark measures and reads are there, in the versions of today's `package.json`. */
export function isInstalled() {
  const { dependencies } = versionsIn(join(here, 'package.json'));
  return Object.entries(dependencies).every(([name, version]) => {
    const file = join(here, 'node_modules', name, 'package.json');
    return existsSync(file) && versionsIn(file).version === version;
  });
}

function versionsIn(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
