import { readFileSync } from 'node:fs';
import test from 'ava';
import { verifyProof } from '../../../../services/verification/offline/verify-proof.ts';

const read = (name: string) => readFileSync(new URL(`../../../fixtures/proofs/${name}`, import.meta.url));

/** A proof that an earlier state of the code made, with its records and the keys of its log. */
const filesOf = (engine: string) => ({
  proof: read(`${engine}/proof.json`),
  records: read(`${engine}/records.json`),
  keys: read(`${engine}/keys.json`),
});

// Engine 1.1.0 judges plans of format 1, engine 1.2.0 plans of format 2.
const EARLIER = [
  { engine: 'engine-1.1.0', change: ['"value":"100.00"', '"value":"900.00"'] },
  { engine: 'engine-1.2.0', change: ['"amount":"10.00"', '"amount":"90.00"'] },
] as const;

for (const { engine, change } of EARLIER) {
  const files = filesOf(engine);

  test(`a proof of ${engine} is verified with its records, as on the day it was made`, async (t) => {
    t.like(await verifyProof(files), { outcome: 'valid', areRecordsVerified: true });
  });

  test(`records of ${engine} that were changed are refused`, async (t) => {
    const text = files.records.toString('utf8');
    const [from, to] = change;
    t.true(text.includes(from));
    const records = Buffer.from(text.replace(from, to));
    t.like(await verifyProof({ ...files, records }), { outcome: 'invalid' });
  });
}
