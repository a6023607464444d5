import test, { type ExecutionContext } from 'ava';
import type { ProofCode } from '../../../../services/verification/contract/proof/proof-error.ts';
import { readStatement } from '../../../../services/verification/contract/proof/statement.ts';
import {
  type VerifyProofOptions,
  verifyProofFile,
} from '../../../../services/verification/contract/proof/verify-proof-file.ts';
import { canonicalBytes } from '../../../../services/verification/proof/digests.ts';
import { signingKeyFromSeed } from '../../../../services/verification/proof/ed25519.ts';
import { encodeProofFile } from '../../../../services/verification/proof/encode-proof-file.ts';
import { encodeStatement } from '../../../../services/verification/proof/encode-statement.ts';
import { hashLeaf } from '../../../../services/verification/proof/merkle-tree.ts';
import { signCheckpoint } from '../../../../services/verification/proof/sign-checkpoint.ts';
import { signEnvelope } from '../../../../services/verification/proof/sign-envelope.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { sized } from '../../../kit/property-runs.ts';
import { createTestLog, factsOf, issuer, log, trusted } from './test-proof.ts';

const testLog = await createTestLog(11);
const file = testLog.proof(5, 9);
const bytes = encodeProofFile(file);

async function refuses(t: ExecutionContext, proof: unknown, code: ProofCode, options: VerifyProofOptions = trusted) {
  const verdict = await verifyProofFile(proof instanceof Uint8Array ? proof : canonicalBytes(proof), options);
  t.is(verdict.ok ? 'ok' : verdict.code, code, verdict.ok ? '' : verdict.message);
}

test('verifies a proof with nothing but the keys', async (t) => {
  const statement = await readStatement(await encodeStatement(factsOf(5)));
  t.deepEqual(await verifyProofFile(bytes, trusted), { ok: true, statement, checkpoint: testLog.checkpoint(9) });
});

test('verifies a proof of every leaf under every checkpoint', async (t) => {
  for (let size = 1; size <= 11; size += 1) {
    for (let index = 0; index < size; index += 1) {
      t.true((await verifyProofFile(encodeProofFile(testLog.proof(index, size)), trusted)).ok);
    }
  }
});

/** Changes to the neighboring digit or letter, to the other case of a letter, and to a character outside ASCII. */
const MASKS = [0x01, 0x20, 0xff];

test('refuses a proof with any byte changed', async (t) => {
  const missed: string[] = [];
  const changed = Buffer.from(bytes);
  for (let position = 0; position < bytes.length; position += 1) {
    const original = bytes.readUInt8(position);
    for (let turn = 0; turn < sized(MASKS.length, 1); turn += 1) {
      const mask = defined(MASKS[(position + turn) % MASKS.length]);
      changed.writeUInt8(original ^ mask, position);
      if ((await verifyProofFile(changed, trusted)).ok) missed.push(`byte ${position} ^ ${mask}`);
    }
    changed.writeUInt8(original, position);
  }
  t.deepEqual(missed, []);
  t.true((await verifyProofFile(changed, trusted)).ok);
});

test('refuses a proof that is truncated anywhere or lacks any byte', async (t) => {
  const missed: number[] = [];
  for (let position = 0; position < bytes.length; position += 1) {
    if ((await verifyProofFile(bytes.subarray(0, position), trusted)).ok) missed.push(position);
    const without = Buffer.concat([bytes.subarray(0, position), bytes.subarray(position + 1)]);
    if ((await verifyProofFile(without, trusted)).ok) missed.push(position);
  }
  t.deepEqual(missed, []);
});

test('refuses bytes after the proof', async (t) => {
  await refuses(t, Buffer.concat([bytes, Buffer.from('\n')]), 'PROOF_NOT_CANONICAL');
  await refuses(t, Buffer.concat([bytes, Buffer.from('\0')]), 'PROOF_NOT_JSON');
  await refuses(t, Buffer.concat([bytes, bytes]), 'PROOF_NOT_JSON');
});

test('refuses a proof that is not canonical JSON', async (t) => {
  await refuses(t, Buffer.from(JSON.stringify(file)), 'PROOF_NOT_CANONICAL');
  await refuses(t, Buffer.from(bytes.toString().replace('"index":5', '"index":5,"index":5')), 'PROOF_NOT_JSON');
});

test('refuses a proof with an unknown member at any level', async (t) => {
  const [signature] = file.envelope.signatures;
  await refuses(t, { ...file, verdict: 'satisfied' }, 'PROOF_MALFORMED');
  await refuses(t, { ...file, log: { ...file.log, leaf: 1 } }, 'PROOF_MALFORMED');
  await refuses(t, { ...file, envelope: { ...file.envelope, note: '' } }, 'PROOF_MALFORMED');
  const signatures = [{ ...signature, cert: '' }];
  await refuses(t, { ...file, envelope: { ...file.envelope, signatures } }, 'PROOF_MALFORMED');
});

test('refuses a proof with two signatures or none, even if one is valid', async (t) => {
  const [signature] = file.envelope.signatures;
  for (const signatures of [[], [signature, signature], [signature, { keyid: '', sig: '' }]]) {
    await refuses(t, { ...file, envelope: { ...file.envelope, signatures } }, 'PROOF_MALFORMED');
  }
});

test('refuses a proof of another payload type', async (t) => {
  await refuses(t, { ...file, envelope: { ...file.envelope, payloadType: 'application/json' } }, 'PROOF_MALFORMED');
});

test('refuses a proof if the keys of issuer and log are swapped', async (t) => {
  const swapped = { issuerKeys: [log.key], logKeys: [{ ...log, key: issuer }] };
  await refuses(t, file, 'ISSUER_UNKNOWN', swapped);
  await refuses(t, file, 'CHECKPOINT_SIGNATURE_INVALID', { ...trusted, logKeys: swapped.logKeys });
});

test("refuses a statement that the log's key signed", async (t) => {
  const envelope = signEnvelope(await encodeStatement(factsOf(5)), log.key);
  await refuses(t, { ...file, envelope }, 'ISSUER_UNKNOWN');
});

test('refuses a proof of an untrusted issuer or log', async (t) => {
  const stranger = signingKeyFromSeed(Buffer.alloc(32, 3));
  await refuses(t, file, 'ISSUER_UNKNOWN', { ...trusted, issuerKeys: [stranger] });
  await refuses(t, file, 'CHECKPOINT_SIGNATURE_INVALID', { ...trusted, logKeys: [{ ...log, key: stranger }] });
  await refuses(t, file, 'LOG_UNKNOWN', { ...trusted, logKeys: [{ ...log, origin: 'elsewhere.example/log' }] });
});

test('refuses the statement of one proof under the id of another', async (t) => {
  await refuses(t, { ...file, proof_id: 'proof_4' }, 'PROOF_ID_MISMATCH');
});

test('refuses the inclusion of another leaf', async (t) => {
  for (let other = 0; other < 9; other += 1) {
    if (other === 5) continue;
    await refuses(t, { ...file, log: testLog.proof(other, 9).log }, 'NOT_INCLUDED');
    await refuses(t, { ...file, log: { ...file.log, index: other } }, 'NOT_INCLUDED');
  }
});

test('refuses a statement that was signed but not logged', async (t) => {
  const envelope = signEnvelope(await encodeStatement({ ...factsOf(5), artifacts: [] }), issuer);
  await refuses(t, { ...file, envelope }, 'NOT_INCLUDED');
});

test('refuses a checkpoint or an inclusion of another size', async (t) => {
  const { checkpoint, inclusion } = testLog.proof(5, 10).log;
  await refuses(t, { ...file, log: { ...file.log, checkpoint } }, 'CHECKPOINT_MISMATCH');
  await refuses(t, { ...file, log: { ...file.log, inclusion: [...inclusion, ...inclusion] } }, 'NOT_INCLUDED');
  await refuses(t, { ...file, log: { ...file.log, checkpoint, tree_size: 10 } }, 'NOT_INCLUDED');
});

test('refuses the checkpoint of another log, even if that log is trusted', async (t) => {
  const other = { origin: 'elsewhere.example/log', key: signingKeyFromSeed(Buffer.alloc(32, 4)) };
  const checkpoint = signCheckpoint({ size: 9, root: hashLeaf(Buffer.from('other')) }, other);
  const options = { ...trusted, logKeys: [log, other] };
  await refuses(t, { ...file, log: { ...file.log, checkpoint } }, 'CHECKPOINT_MISMATCH', options);
  await refuses(t, { ...file, log: { ...file.log, checkpoint, origin: other.origin } }, 'NOT_INCLUDED', options);
});

test('refuses hashes of an inclusion that are not canonical base64', async (t) => {
  const inclusion = file.log.inclusion.map((hash) => hash.replace('=', ''));
  await refuses(t, { ...file, log: { ...file.log, inclusion } }, 'PROOF_MALFORMED');
});

test('refuses a malformed statement, even if the issuer signed it', async (t) => {
  const envelope = signEnvelope(canonicalBytes({ _type: 'https://in-toto.io/Statement/v1' }), issuer);
  await refuses(t, { ...file, envelope }, 'STATEMENT_MALFORMED');
});

test('a proof is consistent with an older and a newer remembered checkpoint', async (t) => {
  for (const size of [1, 4, 7, 8, 9, 10, 11]) {
    const consistency = size <= 9 ? testLog.consistency(size, 9) : testLog.consistency(9, size);
    const options = { ...trusted, rememberedCheckpoint: testLog.checkpoint(size), consistency };
    t.true((await verifyProofFile(bytes, options)).ok);
  }
});

test('a remembered checkpoint of the same size needs no consistency proof', async (t) => {
  t.true((await verifyProofFile(bytes, { ...trusted, rememberedCheckpoint: testLog.checkpoint(9) })).ok);
});

test('a remembered checkpoint of another size needs a consistency proof', async (t) => {
  await refuses(t, bytes, 'CONSISTENCY_REQUIRED', { ...trusted, rememberedCheckpoint: testLog.checkpoint(8) });
});

test('a remembered checkpoint of one view of a split log refuses proofs of the other', async (t) => {
  const otherView = await createTestLog(11, 100);
  for (const size of [7, 9, 11]) {
    const rememberedCheckpoint = otherView.checkpoint(size);
    const [first, second] = [Math.min(size, 9), Math.max(size, 9)];
    for (const view of [testLog, otherView]) {
      const options = { ...trusted, rememberedCheckpoint, consistency: view.consistency(first, second) };
      await refuses(t, bytes, 'INCONSISTENT', options);
    }
  }
});

test('refuses a consistency proof of other sizes', async (t) => {
  const rememberedCheckpoint = testLog.checkpoint(7);
  for (const consistency of [testLog.consistency(6, 9), testLog.consistency(7, 10), []]) {
    await refuses(t, bytes, 'INCONSISTENT', { ...trusted, rememberedCheckpoint, consistency });
  }
});

test('refuses a consistency proof that is not canonical base64', async (t) => {
  const consistency = testLog.consistency(7, 9).map((hash) => `${hash}\n`);
  await refuses(t, bytes, 'INCONSISTENT', { ...trusted, rememberedCheckpoint: testLog.checkpoint(7), consistency });
});

test('refuses a remembered checkpoint that no trusted log signed', async (t) => {
  const stranger = { origin: log.origin, key: signingKeyFromSeed(Buffer.alloc(32, 3)) };
  const forged = signCheckpoint({ size: 9, root: hashLeaf(Buffer.from('x')) }, stranger);
  for (const rememberedCheckpoint of [forged, '', testLog.checkpoint(9).slice(0, -1)]) {
    await refuses(t, bytes, 'REMEMBERED_CHECKPOINT_INVALID', { ...trusted, rememberedCheckpoint });
  }
});

test('refuses a remembered checkpoint of another trusted log', async (t) => {
  const other = { origin: 'elsewhere.example/log', key: signingKeyFromSeed(Buffer.alloc(32, 4)) };
  const rememberedCheckpoint = signCheckpoint({ size: 9, root: hashLeaf(Buffer.from('x')) }, other);
  const options = { ...trusted, logKeys: [log, other], rememberedCheckpoint };
  await refuses(t, bytes, 'REMEMBERED_CHECKPOINT_INVALID', options);
});
