import { readFileSync } from 'node:fs';
import test from 'ava';
import { verifyProof } from '../../../../services/verification/offline/verify-proof.ts';

const read = (name: string) => readFileSync(new URL(`../../../fixtures/proofs/${name}`, import.meta.url));

/** Made by the code before there were plans of format 2. */
const earlier = {
  proof: read('engine-1.1.0/proof.json'),
  records: read('engine-1.1.0/records.json'),
  keys: read('engine-1.1.0/keys.json'),
};

test('a proof of engine 1.1.0 is verified with its records, as on the day it was made', async (t) => {
  t.like(await verifyProof(earlier), { outcome: 'valid', areRecordsVerified: true });
});

test('records of format 1 that were changed are refused', async (t) => {
  const text = earlier.records.toString('utf8');
  const [from, to] = ['"value":"100.00"', '"value":"900.00"'];
  t.true(text.includes(from));
  const records = Buffer.from(text.replace(from, to));
  t.like(await verifyProof({ ...earlier, records }), { outcome: 'invalid' });
});
