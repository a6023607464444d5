import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Type } from 'typebox';
import { createReader } from '../../../scripts/launch/parse/json-reader.ts';
import { portOf } from '../../kit/port-of.ts';

const readCall = createReader(
  Type.Object({ id: Type.Integer(), method: Type.String(), params: Type.Optional(Type.Array(Type.Unknown())) }),
  'the call',
);

type Call = ReturnType<typeof readCall>;

type Answer = object | undefined;

export type Answerer = (call: Call, together: readonly string[]) => Answer | Promise<Answer>;

/**
 * Starts a node in front of another one, which answers the calls for which `answerTo` has nothing. `together` are the methods of
 * all calls of the HTTP request.
 */
export async function startNodeBefore(behind: string, answerTo: Answerer) {
  async function forward(call: unknown): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(behind, { method: 'POST', headers, body: JSON.stringify(call) });
    return response.json();
  }
  const server = createServer(async (request, response) => {
    const calls: unknown = JSON.parse(await text(request));
    const read = [calls].flat().map(readCall);
    const methods = read.map(({ method }) => method);
    const answers = await Promise.all(
      read.map(async (call) => {
        const answer = await answerTo(call, methods);
        return answer === undefined ? forward(call) : { jsonrpc: '2.0', id: call.id, ...answer };
      }),
    );
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(Array.isArray(calls) ? answers : answers[0]));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
