import test from 'ava';
import { decodeBase64 } from '../../../../services/platform/base64.ts';
import {
  areSameBytes,
  concatBytes,
  fromBase64,
  toHex,
} from '../../../../services/verification/contract/proof/bytes.ts';
import { digestOf } from '../../../../services/verification/contract/proof/digest.ts';
import { digestRecord } from '../../../../services/verification/proof/digests.ts';
import { fc } from '../../../kit/fast-check.ts';

test('base64 is decoded without Buffer as with it', (t) => {
  const texts = fc.oneof(
    fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes).toString('base64')),
    fc.stringMatching(/^[A-Za-z0-9+/=_ \n-]{0,20}$/),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const expected = decodeBase64(text);
      t.deepEqual(fromBase64(text), expected && new Uint8Array(expected));
    }),
  );
});

test('bytes are joined, compared and written in hex', (t) => {
  const bytes = fc.uint8Array({ maxLength: 40 });
  fc.assert(
    fc.property(bytes, bytes, (one, other) => {
      const both = Buffer.concat([one, other]);
      t.deepEqual(concatBytes(one, other), new Uint8Array(both));
      t.is(toHex(one), Buffer.from(one).toString('hex'));
      t.is(areSameBytes(one, other), Buffer.from(one).equals(other));
      t.true(areSameBytes(both, concatBytes(one, other)));
    }),
  );
});

test('a digest is the same with WebCrypto and with node:crypto', async (t) => {
  for (const value of [{ b: [], a: 1 }, 'x', ['ü', null]]) {
    t.is(await digestOf('plan', value), digestRecord('plan', value));
  }
  await t.throwsAsync(digestOf('plan', undefined), { instanceOf: TypeError });
});
