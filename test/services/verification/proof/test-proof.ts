import { type Envelope, preAuthenticationEncoding } from '../../../../services/verification/contract/proof/envelope.ts';
import type { ProofFile } from '../../../../services/verification/contract/proof-file.ts';
import { digestBytes, digestRecord } from '../../../../services/verification/proof/digests.ts';
import { signingKeyFromSeed } from '../../../../services/verification/proof/ed25519.ts';
import { encodeStatement, type StatementFacts } from '../../../../services/verification/proof/encode-statement.ts';
import { createMemoryNodeStore } from '../../../../services/verification/proof/memory-node-store.ts';
import {
  appendLeaf,
  hashLeaf,
  proveConsistency,
  proveInclusion,
  rootOf,
} from '../../../../services/verification/proof/merkle-tree.ts';
import { signCheckpoint } from '../../../../services/verification/proof/sign-checkpoint.ts';
import { signEnvelope } from '../../../../services/verification/proof/sign-envelope.ts';
import { defined } from '../../../../workers/exact/defined.ts';

export const issuer = signingKeyFromSeed(Buffer.alloc(32, 1));
export const log = { origin: 'tollhouse.example/log', key: signingKeyFromSeed(Buffer.alloc(32, 2)) };
export const trusted = { issuerKeys: [issuer], logKeys: [log] };

const satisfied = { verdict: 'satisfied', question: 'holds', engine: 'evaluator+z3' } as const;
const digest = (text: string) => digestBytes(Buffer.from(text));

/** The facts of the `n`-th statement. */
export function factsOf(n: number): StatementFacts {
  return {
    tenantId: 'tenant_1',
    plan: { id: `plan_${n}`, sha256: digestRecord('plan', { n }) },
    execution: { id: `exec_${n}`, sha256: digestRecord('execution', { n }) },
    artifacts: [
      { id: 'art_2', sha256: digest('two') },
      { id: 'art_1', sha256: digest('one') },
    ],
    predicate: {
      proof_id: `proof_${n}`,
      verification_id: `ver_${n}`,
      approved_at: '2026-11-21T11:59:00.000000Z',
      received_at: '2026-11-21T12:00:00.000001Z',
      verified_at: '2026-11-21T12:00:01.500000Z',
      verdicts: { plan_alignment: satisfied, constraints: satisfied, evidence: satisfied, replay: satisfied },
      inputs: { inputs_hash: digest('inputs'), intents_hash: digest('intents'), evidence_hash: digest('evidence') },
      pins: {
        solver: {
          package: 'z3-solver@5.2.0',
          version: '5.1.0.0',
          wasm_sha256: digest('wasm'),
          options: ['smt.random_seed=0'],
          seed: 0,
          rlimit: 1_000_000,
        },
        queries: [{ check: 'constraints', rlimit_used: 4_321, smtlib_sha256: digest('(check-sat)') }],
      },
      assurance: { recomputed: 0, modelled: 1, recorded: 1 },
      versions: {
        policy: 'tollhouse-verified-execution-1.0.0',
        receipt: 'tollhouse-proof-receipt-1.1.0',
        engine: 'tollhouse-one-independent-verification-1.1.0',
      },
    },
  };
}

/** A log of `size` proofs, numbered from `from`. */
export async function createTestLog(size: number, from = 0, facts: (n: number) => StatementFacts = factsOf) {
  const store = createMemoryNodeStore();
  const envelopes: Envelope[] = [];
  for (let index = 0; index < size; index += 1) {
    const payload = await encodeStatement(facts(from + index));
    const envelope = signEnvelope(payload, issuer);
    store.add(appendLeaf(store, index, hashLeaf(preAuthenticationEncoding(envelope.payloadType, payload))));
    envelopes.push(envelope);
  }
  const toBase64 = (hashes: readonly Uint8Array[]) => hashes.map((hash) => Buffer.from(hash).toString('base64'));

  const checkpoint = (treeSize: number) => signCheckpoint({ size: treeSize, root: rootOf(store, treeSize) }, log);
  const consistency = (first: number, second: number) => toBase64(proveConsistency(store, first, second));
  const proof = (index: number, treeSize: number): ProofFile => {
    const envelope = defined(envelopes[index]);
    return {
      proof_id: facts(from + index).predicate.proof_id,
      envelope: { ...envelope, signatures: [...envelope.signatures] },
      log: {
        origin: log.origin,
        index,
        tree_size: treeSize,
        inclusion: toBase64(proveInclusion(store, index, treeSize)),
        checkpoint: checkpoint(treeSize),
      },
    };
  };
  return { checkpoint, consistency, proof };
}
