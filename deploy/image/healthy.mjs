// Whether the service of this container serves: `healthy.mjs PROGRAM`. With `live`, whether it answers at all: a service that
// waits for a server is alive. It reads LISTEN and TLS_FOLDER of the service. gRPC's health protocol:
// https://github.com/grpc/grpc/blob/master/doc/health-checking.md
import { existsSync, readFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';

const TIMEOUT_MS = 5000;
/** A message of gRPC: not compressed, its length in four bytes, and HealthCheckResponse with status 1 (SERVING). */
const SERVING = '00000000020801';
const EMPTY = Buffer.alloc(5);

const [program, wanted] = process.argv.slice(2);
const { LISTEN = '', TLS_FOLDER } = process.env;

function open() {
  if (LISTEN.startsWith('unix:')) return connectTcp(LISTEN.replace(/^unix:(?:\/\/)?/, ''));
  const address = { host: '127.0.0.1', port: Number(LISTEN.split(':').at(-1)) };
  const folder = `${TLS_FOLDER}/${program}`;
  if (!existsSync(folder)) return connectTcp(address);
  const read = (name) => readFileSync(`${folder}/${name}`);
  const files = { ca: read('ca.crt'), cert: read('tls.crt'), key: read('tls.key') };
  return connectTls({ ...address, ...files, servername: program, ALPNProtocols: ['h2'] });
}

function end(code, why) {
  if (code !== 0) console.error(why);
  process.exit(code);
}

setTimeout(() => end(1, 'no answer in time'), TIMEOUT_MS);
const session = connectHttp2('http://localhost', { createConnection: open });
session.on('error', (error) => end(1, error.message));
const headers = { ':method': 'POST', ':path': '/grpc.health.v1.Health/Check', te: 'trailers' };
const request = session.request({ ...headers, 'content-type': 'application/grpc' });
const chunks = [];
request.on('error', (error) => end(1, error.message));
request.on('data', (chunk) => chunks.push(chunk));
request.on('end', () => {
  const answer = Buffer.concat(chunks).toString('hex');
  end(answer === SERVING || (wanted === 'live' && answer !== '') ? 0 : 1, `not serving: ${answer}`);
});
request.end(EMPTY);
