import { once } from 'node:events';
import { connect, type IncomingHttpHeaders } from 'node:http2';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { type Answer, readAnswer } from '../../kit/client.ts';

export interface H2Client {
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  close(): void;
}

/** Connects by HTTP/2 over TLS, from an address of this machine. */
export async function connectH2(origin: string, ca: string, localAddress = '127.0.0.1'): Promise<H2Client> {
  const { hostname, port } = new URL(origin);
  const options = {
    host: '127.0.0.1',
    port: Number(port),
    servername: hostname,
    ca,
    localAddress,
    ALPNProtocols: ['h2'],
  };
  const session = connect(origin, { createConnection: () => connectTls(options) });
  // A proxy can close a connection before it is established, without an error.
  const closed = once(session, 'close').then(() => Promise.reject(new Error('the connection closed at once')));
  await Promise.race([once(session, 'connect'), closed]);
  // It ends the requests, which report it.
  session.on('error', () => {});
  return {
    async post(path, body, headers = {}) {
      const type = { 'content-type': 'application/json' };
      const stream = session.request({ ':method': 'POST', ':path': path, ...type, ...headers });
      const head = new Promise<IncomingHttpHeaders>((resolve, reject) => {
        stream.once('response', resolve).once('error', reject);
        stream.once('close', () => reject(new Error('the stream closed without an answer')));
      });
      stream.end(typeof body === 'string' ? body : JSON.stringify(body));
      const { ':status': status, ...fields } = await head;
      const given = new Headers();
      for (const [name, value] of Object.entries(fields)) given.set(name, String(value));
      return readAnswer(new Response(await text(stream), { status: Number(status), headers: given }));
    },
    close: () => session.destroy(),
  };
}
