// One contender in a process of its own: `node contender.mjs NAME ENCODING`, then texts to count by message.
import { CONTENDERS } from '../contenders.mjs';

const [name, encoding] = process.argv.slice(2);
const startMs = performance.now();
const count = await CONTENDERS[name](encoding);
process.send({ loadMs: performance.now() - startMs });

process.on('message', (/** @type {{ texts: string[], asBytes: boolean }} */ { texts, asBytes }) => {
  const inputs = asBytes ? texts.map((text) => Buffer.from(text)) : texts;
  const before = performance.now();
  let tokens = 0;
  for (const input of inputs) tokens += count(input);
  process.send({ tokens, ms: performance.now() - before });
});
process.on('disconnect', () => process.exit());
