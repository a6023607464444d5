import scalar from '@scalar/fastify-api-reference';
import { fastify } from 'fastify';

/** Scalar's script is only inside its plugin for Fastify, so a server that listens nowhere is asked for it. */
export async function readScalar(): Promise<Buffer> {
  const app = fastify();
  await app.register(scalar, { routePrefix: '/reference', configuration: { content: { openapi: '3.1.0', info: {} } } });
  const answer = await app.inject('/reference/js/scalar.js');
  await app.close();
  if (answer.statusCode !== 200) throw new Error(`the script of the reference was answered with ${answer.statusCode}`);
  return answer.rawPayload;
}
