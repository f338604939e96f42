/** The version of what is handed over as JSON, and the places in it with their types, a line each: a reader must know all. */
export function shapeOf(bytes: Buffer): string {
  const { version, ...rest }: { readonly version: number } = JSON.parse(bytes.toString('utf8'));
  return [`version ${version}`, ...[...new Set(placesIn(rest, ''))].sort(), ''].join('\n');
}

function* placesIn(value: unknown, place: string): Generator<string> {
  if (typeof value !== 'object' || value === null) yield `${place}: ${value === null ? null : typeof value}`;
  else if (Array.isArray(value)) for (const each of value) yield* placesIn(each, `${place}[]`);
  else for (const [name, each] of Object.entries(value)) yield* placesIn(each, `${place}.${name}`);
}
