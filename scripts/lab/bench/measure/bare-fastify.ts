import { once } from 'node:events';
import fastify from 'fastify';

interface SampleAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const SET_BY_NODE = ['connection', 'keep-alive', 'date', 'content-length'];

/** The ceiling: reads the JSON body, and answers what it was given at the start, always. */
const [{ status, headers, body }] = (await once(process, 'message')) as [SampleAnswer];
const fixed = Object.fromEntries(Object.entries(headers).filter(([name]) => !SET_BY_NODE.includes(name)));
const app = fastify();
app.post('/', async (_request, reply) => reply.code(status).headers(fixed).send(body));
await app.listen({ port: 0, host: '127.0.0.1' });
const address = app.server.address();
process.send?.(typeof address === 'object' && address ? address.port : 0);
process.once('disconnect', () => process.exit());
