import test from 'ava';
import { verifyProof } from '../../../../services/verification/offline/verify-proof.ts';
import { canonicalBytes } from '../../../../services/verification/proof/digests.ts';
import { encodeProofFile } from '../../../../services/verification/proof/encode-proof-file.ts';
import { publishIssuerKey, publishLogKey } from '../../../../services/verification/proof/keys.ts';
import { createTestLog, issuer, log } from '../proof/test-proof.ts';

const testLog = await createTestLog(3);
const keys = canonicalBytes({ keys: [publishIssuerKey(issuer), publishLogKey(log)] });
const proof = encodeProofFile(testLog.proof(1, 3));
const json = (value: unknown) => Buffer.from(JSON.stringify(value));

test('a proof with trusted keys is valid, and the result has its statement', async (t) => {
  const result = await verifyProof({ proof, keys });
  t.like(result, { outcome: 'valid', areRecordsVerified: false, checkpoint: testLog.checkpoint(3) });
  if (result.outcome === 'valid') t.is(result.statement.predicate.proof_id, 'proof_1');
});

test('a changed proof is invalid, and the code says why', async (t) => {
  const { envelope, ...file } = testLog.proof(1, 3);
  const [signature] = envelope.signatures;
  const sig = Buffer.alloc(64).toString('base64');
  const changed = encodeProofFile({ ...file, envelope: { ...envelope, signatures: [{ ...signature, sig }] } });
  t.like(await verifyProof({ proof: changed, keys }), { outcome: 'invalid', code: 'SIGNATURE_INVALID' });
  t.like(await verifyProof({ proof: json({}), keys }), { outcome: 'invalid', code: 'PROOF_MALFORMED' });
});

test('a remembered checkpoint needs a consistency proof', async (t) => {
  const remembered = { proof, keys, checkpoint: testLog.checkpoint(2) };
  t.like(await verifyProof(remembered), { outcome: 'invalid', code: 'CONSISTENCY_REQUIRED' });
  const hashes = testLog.consistency(2, 3);
  t.is((await verifyProof({ ...remembered, consistency: json({ hashes }) })).outcome, 'valid');
  const other = await verifyProof({ ...remembered, consistency: json({ hashes: [] }) });
  t.like(other, { outcome: 'invalid', code: 'INCONSISTENT' });
});

test('malformed keys or consistency proofs are unusable input, and the proof is not judged', async (t) => {
  t.like(await verifyProof({ proof, keys: json({}) }), { outcome: 'unusable_input', input: 'keys' });
  for (const consistency of ['', 'null', '[]', '{"hashes":[1]}']) {
    const result = await verifyProof({ proof, keys, consistency: Buffer.from(consistency) });
    t.like(result, { outcome: 'unusable_input', input: 'consistency' }, consistency);
  }
});

test('malformed records make the proof invalid', async (t) => {
  const result = await verifyProof({ proof, keys, records: json({ records_format: 2 }) });
  t.like(result, { outcome: 'invalid', code: undefined });
});
