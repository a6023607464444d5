import { once } from 'node:events';
import fastify from 'fastify';
import { Type } from 'typebox';
import { createContentClient } from '../../../../services/content/contract/client.ts';
import { createReader } from '../../../launch/parse/json-reader.ts';

const readTarget = createReader(Type.String({ minLength: 1 }), 'the address of the content service');
const readBody = createReader(Type.Object({ html: Type.String() }), 'the body');
const TIMEOUT_MS = 30_000;

// The upper limit for a call: the same conversion by the same service, without access, ledger and retention. The parent
// process sends the address of the service.
const [message]: unknown[] = await once(process, 'message');
const content = createContentClient(readTarget(message));
const app = fastify();
app.post('/', async ({ body }, reply) => {
  const { html } = readBody(body);
  const answer = await content.convertHtml({ html, sourceUrl: undefined }, { timeoutMs: TIMEOUT_MS });
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
});
await app.listen({ port: 0, host: '127.0.0.1' });
const address = app.server.address();
if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port');
process.send?.(address.port);
process.once('disconnect', () => process.exit());
