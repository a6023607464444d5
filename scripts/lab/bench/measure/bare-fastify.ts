import { once } from 'node:events';
import fastify from 'fastify';
import { Type } from 'typebox';
import { createReader } from '../../../launch/parse/json-reader.ts';

const SampleAnswer = Type.Object({
  status: Type.Number(),
  headers: Type.Record(Type.String(), Type.String()),
  body: Type.String(),
});
const readAnswer = createReader(SampleAnswer, 'the sample answer');

const SET_BY_NODE = ['connection', 'keep-alive', 'date', 'content-length'];

// The upper limit for the gateway: a server that reads the JSON body and always sends the same answer, which its parent
// process sends to it at the start.
const [message]: unknown[] = await once(process, 'message');
const { status, headers, body } = readAnswer(message);
const fixed = Object.fromEntries(Object.entries(headers).filter(([name]) => !SET_BY_NODE.includes(name)));
const app = fastify();
app.post('/', async (_request, reply) => reply.code(status).headers(fixed).send(body));
await app.listen({ port: 0, host: '127.0.0.1' });
const address = app.server.address();
if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port');
process.send?.(address.port);
process.once('disconnect', () => process.exit());
