// `npm run soak`: a long batch, whose client is killed half-way.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const USAGE = `npm run soak -- [--gigabytes N]

A batch of that size, in lines of 1 KiB to 8 MiB made on the fly, through an API and a coordinator over two Redis. The
client is killed half-way and goes on by ids. Fails when a process grows too large, when a line has no result, or
when something is counted twice. Takes about 35 s a gigabyte on two cores.
  --gigabytes N   how large (10)
`;

const { values } = parseArgs({
  options: { gigabytes: { type: 'string', default: '10' }, help: { type: 'boolean' } },
});
if (values.help) process.stdout.write(USAGE);
else {
  const { status } = spawnSync('npx', ['vitest', 'run', 'test/soak', '--disable-console-intercept'], {
    stdio: 'inherit',
    env: { ...process.env, SOAK_MEGABYTES: String(1000 * Number(values.gigabytes)) },
  });
  process.exitCode = status ?? 1;
}
