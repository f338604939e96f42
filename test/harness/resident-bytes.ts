import { readFile } from 'node:fs/promises';

/** Memory of a process that is in RAM now, as Linux has it. */
export async function residentBytes(pid: number): Promise<number> {
  const [, kibibytes] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) * 1024;
}
