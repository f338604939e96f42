const startMs = performance.now();
// `node cold-start.mjs NAME ENCODING FILE`: from the first line of a program to the number, in parts.
const { CONTENDERS } = await import('../contenders.mjs');
const { readFileSync } = await import('node:fs');

const [name, encoding, file] = process.argv.slice(2);
const count = await CONTENDERS[name](encoding);
const loadedMs = performance.now();
const bytes = readFileSync(file);
const text = name === 'preflight' ? bytes : bytes.toString();
const readMs = performance.now();
const tokens = count(text);
const endMs = performance.now();
process.send({
  tokens,
  loadMs: loadedMs - startMs,
  readMs: readMs - loadedMs,
  countMs: endMs - readMs,
  totalMs: endMs - startMs,
});
