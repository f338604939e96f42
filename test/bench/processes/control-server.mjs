// The least server there is: how slow its answers get tells what the machine itself adds while others work.
import { createServer } from 'node:http';

const server = createServer((_, response) => response.end('{"status":"live"}'));
server.listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}`));
process.on('disconnect', () => process.exit());
