// `node send-request.mjs URL BYTES SEED`: makes a body, says that it is ready, sends it when told, says how long it took.
import { attachmentMessage } from '../corpora/attachments.mjs';
import { Random } from '../random.mjs';
import { timedRequest } from '../server.mjs';

const [url, bytes, seed] = process.argv.slice(2);
const file = new Random(`health ${seed}`).bytes(Math.floor((Number(bytes) * 3) / 4));
const body = Buffer.from(
  JSON.stringify({ model: 'gpt-4o', messages: [attachmentMessage(file, 'application/pdf')] }),
);
process.once('message', async () => {
  const { ms, status } = await timedRequest(`${url}/v1/count`, body);
  process.send({ ms, status });
});
process.send('ready');
