// Receives events of verified execution, and prints each once. Its arguments are the file of WEBHOOK_SECRET, and a port.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [file, port] = process.argv.slice(2);
const key = Buffer.from(readFileSync(file, 'utf8').trim().replace('whsec_', ''), 'base64');
// A program that may restart keeps them in its database for two days.
const seen = new Set();

function isGenuine(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': sentAt, 'webhook-signature': signatures = '' } = headers;
  const expected = createHmac('sha256', key).update(`${id}.${sentAt}.`).update(body).digest();
  const isRecent = Math.abs(Date.now() / 1000 - Number(sentAt)) < 300;
  const isRight = (given) => given.length === expected.length && timingSafeEqual(given, expected);
  return isRecent && signatures.split(' ').some((each) => isRight(Buffer.from(each.replace('v1,', ''), 'base64')));
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end();
  if (!seen.has(request.headers['webhook-id'])) console.log(body.toString());
  seen.add(request.headers['webhook-id']);
  return response.writeHead(204).end();
});
server.listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
