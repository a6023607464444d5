import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import test from 'ava';
import { fastify } from 'fastify';
import { encodingOf } from '../../../gateway/pages/site/content.ts';
import { createSite } from '../../../gateway/pages/site/site.ts';

const SCRIPT = `scripts('${'toll '.repeat(1_000)}')`;
const DECODED = { br: brotliDecompressSync, gzip: gunzipSync, undefined: (bytes: Buffer) => bytes };

test('a client gets the encoding that it weighs most, of those that it names with a weight above 0', (t) => {
  const rows = {
    br: ['br', 'gzip, deflate, br, zstd', 'gzip;q=0, br;q=0.1', 'BR;q=0.5', 'gzip;q=0.9, br'],
    gzip: [
      'gzip',
      'br;q=0, gzip',
      'br;q=0.5, gzip',
      'GZIP;q=0.5',
      'deflate , gzip ; q=1.0',
      'gzip;q=0.001, br; q=0.000',
    ],
    undefined: [undefined, '', '*', 'identity', 'gzip;q=0, br;q=0', 'gzip; q=0.000', 'x-gzip', 'zstd, brotli, gzipped'],
  };
  for (const [wanted, headers] of Object.entries(rows))
    for (const header of headers) t.is(String(encodingOf(header)), wanted, header);
});

test('an asset has an address that is kept for good and one that is asked again, and each answers what the client lacks', async (t) => {
  const app = fastify();
  let reads = 0;
  const named = createSite(app).lateAsset('late.js', 'text/javascript; charset=utf-8', async () => {
    reads += 1;
    return Buffer.from(SCRIPT);
  });
  const get = (url: string, headers = {}) => app.inject({ url, headers });
  const address = await named();
  t.regex(address, /^\/assets\/late\.js\?v=[0-9a-f]{12}$/);
  for (const [url, caching] of [
    [address, 'public, max-age=31536000, immutable'],
    ['/assets/late.js', 'public, max-age=300'],
    ['/assets/late.js?v=000000000000', 'public, max-age=300'],
  ] as const) {
    for (const [encoding, decode] of Object.entries(DECODED)) {
      const answer = await get(url, { 'accept-encoding': encoding });
      t.is(String(answer.headers['content-encoding']), encoding);
      t.like(answer.headers, { 'cache-control': caching, vary: 'accept-encoding' });
      t.is(decode(answer.rawPayload).toString(), SCRIPT);
      t.true(encoding === 'undefined' || answer.rawPayload.length < 200);
    }
  }
  const { etag } = (await get(address)).headers;
  for (const [held, status] of [
    [etag, 304],
    [`"x", ${String(etag).slice(2)}`, 304],
    ['*', 304],
    ['W/"x"', 200],
  ] as const) {
    const answer = await get(address, { 'if-none-match': held });
    t.is(answer.statusCode, status, held);
    t.is(answer.headers.etag, etag);
    t.is(answer.body, status === 304 ? '' : SCRIPT);
  }
  t.is(reads, 1);
});
