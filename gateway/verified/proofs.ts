import { Type } from 'typebox';
import { VerifyExecutionAnswer } from '../../services/verification/contract/answers.ts';
import { Document } from '../../services/verification/contract/arguments.ts';
import { ListProofsAnswer, ListProofsArguments } from '../../services/verification/contract/lists.ts';
import { ProofFile } from '../../services/verification/contract/proof-file.ts';
import { LIST, readEndpoint, SOLVER_TIMEOUT_MS, toListArguments } from './define-endpoint.ts';
import * as examples from './examples.ts';
import { listedProofs } from './list-examples.ts';

const PLAIN = 'text/plain; charset=utf-8';
const Text = Type.String();

const listProofs = readEndpoint({
  ...LIST,
  path: '/api/v1/proofs',
  operationId: 'verified_list_proofs',
  summary: 'List proofs',
  description: `Those of one plan, or all. ${LIST.description}`,
  optionalQuery: ListProofsArguments.properties,
  answer: { schema: ListProofsAnswer, example: listedProofs },
  operation: 'listProofs',
  queryArguments: toListArguments,
});

export const getProof = readEndpoint({
  path: '/api/v1/proofs/{proof_id}',
  operationId: 'verified_get_proof',
  summary: 'Read a proof',
  description:
    'The proof file, byte for byte: a DSSE envelope around an in-toto statement, and its place in the log. `tollhouse verify-proof` verifies it offline.',
  answer: { schema: ProofFile, example: examples.proof },
  operation: 'getProof',
});

const getVerification = readEndpoint({
  path: '/api/v1/verifications/{verification_id}',
  operationId: 'verified_get_verification',
  summary: 'Read a verification',
  description: 'The answer of the verification, with the hashes of the solver queries.',
  answer: { schema: VerifyExecutionAnswer, example: examples.verifyExecution.answer },
  operation: 'getVerification',
});

const getQuery = readEndpoint({
  path: '/api/v1/verifications/{verification_id}/queries/{smtlib_sha256}',
  operationId: 'verified_get_query',
  summary: 'Read a solver query',
  description: 'The SMT-LIB 2.6 text with this SHA-256, which another solver can answer.',
  answer: { schema: Text, example: '(set-logic ALL)', type: PLAIN },
  timeoutMs: SOLVER_TIMEOUT_MS,
  operation: 'getScript',
});

const getLogKeys = readEndpoint({
  path: '/api/v1/log/keys',
  operationId: 'verified_get_log_keys',
  summary: 'Read the keys of proofs and log',
  description: 'Two Ed25519 keys: one signs statements, one signs checkpoints. Keep them: all trust rests on them.',
  isPublic: true,
  answer: { schema: Document, example: examples.logKeys },
  operation: 'getLogKeys',
});

const getLogCheckpoint = readEndpoint({
  path: '/api/v1/log/checkpoint',
  operationId: 'verified_get_log_checkpoint',
  summary: 'Read the head of the log',
  description:
    'A signed note (C2SP tlog-checkpoint). Keep it: without a witness, only a remembered checkpoint shows that two readers saw different logs.',
  isPublic: true,
  answer: { schema: Text, example: examples.proof.log.checkpoint, type: PLAIN },
  operation: 'getLogCheckpoint',
});

const getLogConsistency = readEndpoint({
  path: '/api/v1/log/consistency',
  operationId: 'verified_get_log_consistency',
  summary: 'Read a consistency proof',
  description:
    'The proof (RFC 9162, section 2.1.4) that the log of the first size is the beginning of the log of the second size. Hashes are base64.',
  isPublic: true,
  query: { first: 'The smaller number of leaves', second: 'The larger number of leaves' },
  answer: {
    schema: Type.Object({ hashes: Type.Array(Text) }, { additionalProperties: false }),
    example: { hashes: [] },
  },
  operation: 'getLogConsistency',
});

export const proofs = [
  listProofs,
  getProof,
  getVerification,
  getQuery,
  getLogKeys,
  getLogCheckpoint,
  getLogConsistency,
];
