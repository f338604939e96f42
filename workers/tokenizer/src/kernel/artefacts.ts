/** What `npm run build` made, seen from src/kernel and from dist/kernel alike. */
const ARTEFACTS = new URL('../../dist/artefacts/', import.meta.url);

export function tablesUrl(vocabulary: string): URL {
  return new URL(`${vocabulary}.tables`, ARTEFACTS);
}

export function moduleUrl(family: string): URL {
  return new URL(`${family}.wasm`, ARTEFACTS);
}
