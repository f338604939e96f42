import { get } from './http.js';

/** The figures of a process, by name and labels as they are written: `name{label="value"}`. */
export async function metricsOf(url: string): Promise<ReadonlyMap<string, number>> {
  const { text } = await get(url, '/metrics');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}
