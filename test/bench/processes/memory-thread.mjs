// A thread that does nothing, or has loaded the counter and counted one payload; then it waits.
import { parentPort, workerData } from 'node:worker_threads';

if (workerData.kind === 'counter') {
  const { loadCounter } = await import('@preflight/tokenizer');
  const counter = await loadCounter(workerData.encoding);
  counter.count(workerData.payload);
}
parentPort.postMessage('ready');
parentPort.on('message', () => undefined);
