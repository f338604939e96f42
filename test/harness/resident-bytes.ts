import { readFile } from 'node:fs/promises';

/** Memory of a process that is in RAM now, as Linux has it. */
export function residentBytes(pid: number): Promise<number> {
  return bytesOf(pid, 'VmRSS');
}

/** The most that was in RAM at one time. */
export function peakResidentBytes(pid: number): Promise<number> {
  return bytesOf(pid, 'VmHWM');
}

async function bytesOf(pid: number, field: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const [, kibibytes] = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status) ?? [];
  return Number(kibibytes) * 1024;
}
