import { createHash } from 'node:crypto';
import test from 'ava';
import type { DigestDomain } from '../../../../services/verification/contract/proof/digest.ts';
import { digestBytes, digestCanonical, digestRecord } from '../../../../services/verification/proof/digests.ts';

const DOMAINS: readonly DigestDomain[] = [
  'cursor',
  'evidence',
  'execution',
  'inputs',
  'intents',
  'plan',
  'request',
  'sheet',
  'tenant',
];

test('the digest of a plan covers its prefix, NUL and its canonical form', (t) => {
  t.is(digestRecord('plan', { b: [], a: 1 }), 'c40da5975672e045508985c1eac7a7f94de0712d5c8f6994be6f642edeb0b1cf');
});

test('every domain has its own prefix', (t) => {
  for (const domain of DOMAINS) {
    const expected = createHash('sha256').update(`tollhouse:${domain}:v1\0"x"`).digest('hex');
    t.is(digestRecord(domain, 'x'), expected);
  }
});

test('stored canonical bytes have the same digest as their value', (t) => {
  t.is(digestCanonical('execution', Buffer.from('{"a":[1]}')), digestRecord('execution', { a: [1] }));
});

test('a value that is not JSON has no digest', (t) => {
  t.throws(() => digestRecord('plan', undefined), { instanceOf: TypeError });
});

test("the digest of an artifact is SHA-256 of its bytes, without a prefix (FIPS 180-4, 'abc')", (t) => {
  t.is(digestBytes(Buffer.from('abc')), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
