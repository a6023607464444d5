import { gunzipSync } from 'node:zlib';
import test from 'ava';
import { acceptsGzip, gzip } from '../../../gateway/pages/site/gzip.ts';

test('a client takes gzip if it names it with a weight above 0', (t) => {
  for (const header of ['gzip', 'br, gzip', 'GZIP;q=0.5', 'deflate , gzip ; q=1.0', 'gzip;q=0.001']) {
    t.true(acceptsGzip(header), header);
  }
  for (const header of [undefined, '', '*', 'identity', 'gzip;q=0', 'gzip; q=0.000', 'x-gzip', 'br, gzipped']) {
    t.false(acceptsGzip(header), header);
  }
});

test('what is compressed is restored', async (t) => {
  const bytes = Buffer.from('proof '.repeat(1_000));
  const compressed = await gzip(bytes);
  t.true(compressed.length < 200);
  t.deepEqual(gunzipSync(compressed), bytes);
});
