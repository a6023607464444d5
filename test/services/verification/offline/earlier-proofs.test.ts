import { readFileSync } from 'node:fs';
import test from 'ava';
import { verifyProof } from '../../../../services/verification/offline/verify-proof.ts';

const ROOT = new URL('../../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT));

/** A proof that an earlier state of the code made, with its records and the keys of its log. */
const filesOf = (engine: string) => filesIn(`test/fixtures/proofs/${engine}`);

const filesIn = (folder: string) => ({
  proof: read(`${folder}/proof.json`),
  records: read(`${folder}/records.json`),
  keys: read(`${folder}/keys.json`),
});

// `npm run try -- verified as-planned` makes the files of a new sample.
test('the sample of the documents is valid, and its verdicts follow from its records as long as the engine is its own', async (t) => {
  const result = await verifyProof(filesIn('docs/verified-execution/sample'));
  const isCurrent = result.outcome === 'valid' && result.areRecordsVerified;
  t.true(isCurrent || result.outcome === 'verdicts_not_checked');
});

test('a proof of engine 1.1.0 is verified, and its records are of a format that is not read', async (t) => {
  const { records, ...files } = filesOf('engine-1.1.0');
  t.like(await verifyProof(files), { outcome: 'valid', areRecordsVerified: false });
  t.like(await verifyProof({ ...files, records }), { outcome: 'unusable_input', input: 'records' });
});

test('the hashes of records of engine 1.2.0 are verified, and its verdicts are not checked', async (t) => {
  const files = filesOf('engine-1.2.0');
  t.like(await verifyProof(files), { outcome: 'verdicts_not_checked', areRecordsVerified: false });
  const text = files.records.toString('utf8');
  t.true(text.includes('"amount":"10.00"'));
  const records = Buffer.from(text.replace('"amount":"10.00"', '"amount":"90.00"'));
  t.like(await verifyProof({ ...files, records }), { outcome: 'invalid' });
});
