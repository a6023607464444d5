import { Type } from 'typebox';
import { VerifyExecutionAnswer } from '../../services/verification/contract/answers.ts';
import { Document } from '../../services/verification/contract/arguments.ts';
import { ProofFile } from '../../services/verification/contract/proof-file.ts';
import { AppError } from '../errors/app-error.ts';
import type { Endpoint } from './endpoint.ts';
import { logKeys, proof, verifyExecution } from './examples.ts';

const TIMEOUT_MS = 10_000;
const SOLVER_TIMEOUT_MS = 25_000;
const SIZE = /^(?:0|[1-9][0-9]{0,15})$/;
const PLAIN = 'text/plain; charset=utf-8';

const Text = Type.String();
const CHECKPOINT = proof.log.checkpoint;

export const proofs: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/api/v1/proofs/{proof_id}',
    operationId: 'verified_get_proof',
    summary: 'Read a proof',
    description:
      'The proof file, byte for byte: a DSSE envelope around an in-toto statement, and its place in the log. `tollhouse verify-proof` verifies it offline.',
    status: 200,
    answer: { schema: ProofFile, example: proof },
    timeoutMs: TIMEOUT_MS,
    async call({ caller, params, clients, settings }) {
      const request = { caller, proofId: params['proof_id'] ?? '' };
      const { file } = await clients.verification.call((client) => client.getProof, request, settings);
      return { body: Buffer.from(file) };
    },
  },
  {
    method: 'GET',
    path: '/api/v1/verifications/{verification_id}',
    operationId: 'verified_get_verification',
    summary: 'Read a verification',
    description: 'What it was answered, with the hashes of what the solver was asked.',
    status: 200,
    answer: { schema: VerifyExecutionAnswer, example: verifyExecution.answer },
    timeoutMs: TIMEOUT_MS,
    async call({ caller, params, clients, settings }) {
      const request = { caller, verificationId: params['verification_id'] ?? '' };
      const { answer } = await clients.verification.call((client) => client.getVerification, request, settings);
      return { body: answer };
    },
  },
  {
    method: 'GET',
    path: '/api/v1/verifications/{verification_id}/queries/{smtlib_sha256}',
    operationId: 'verified_get_query',
    summary: 'Read what the solver was asked',
    description: 'SMT-LIB 2.6, for another solver to answer: the text that has this SHA-256.',
    status: 200,
    answer: { schema: Text, example: '(set-logic ALL)', type: PLAIN },
    timeoutMs: SOLVER_TIMEOUT_MS,
    async call({ caller, params, clients, settings }) {
      const request = {
        caller,
        verificationId: params['verification_id'] ?? '',
        sha256: params['smtlib_sha256'] ?? '',
      };
      const { smtlib } = await clients.verification.call((client) => client.getScript, request, settings);
      return { body: smtlib, type: PLAIN };
    },
  },
  {
    method: 'GET',
    path: '/api/v1/log/keys',
    operationId: 'verified_get_log_keys',
    summary: 'Read the keys of proofs and log',
    description: 'Two Ed25519 keys, one for statements and one for checkpoints. Keep them: they are what you trust.',
    isPublic: true,
    status: 200,
    answer: { schema: Document, example: logKeys },
    timeoutMs: TIMEOUT_MS,
    async call({ clients, settings }) {
      const { file } = await clients.verification.call((client) => client.getLogKeys, {}, settings);
      return { body: Buffer.from(file) };
    },
  },
  {
    method: 'GET',
    path: '/api/v1/log/checkpoint',
    operationId: 'verified_get_log_checkpoint',
    summary: 'Read the head of the log',
    description:
      'A signed note (C2SP tlog-checkpoint). Remember it: who was shown another log than you has no proof of that without a witness.',
    isPublic: true,
    status: 200,
    answer: { schema: Text, example: CHECKPOINT, type: PLAIN },
    timeoutMs: TIMEOUT_MS,
    async call({ clients, settings }) {
      const { checkpoint } = await clients.verification.call((client) => client.getLogCheckpoint, {}, settings);
      return { body: checkpoint, type: PLAIN };
    },
  },
  {
    method: 'GET',
    path: '/api/v1/log/consistency',
    operationId: 'verified_get_log_consistency',
    summary: 'Read that one log is the beginning of another',
    description: 'The consistency proof between two sizes of the log (RFC 9162, section 2.1.4), base64.',
    isPublic: true,
    query: { first: 'The smaller number of leaves', second: 'The larger number of leaves' },
    status: 200,
    answer: {
      schema: Type.Object({ hashes: Type.Array(Text) }, { additionalProperties: false }),
      example: { hashes: [] },
    },
    timeoutMs: TIMEOUT_MS,
    async call({ params, clients, settings }) {
      const request = { firstSize: readSize(params, 'first'), secondSize: readSize(params, 'second') };
      const { hashes } = await clients.verification.call((client) => client.getLogConsistency, request, settings);
      return { body: JSON.stringify({ hashes: hashes.map((hash) => Buffer.from(hash).toString('base64')) }) };
    },
  },
];

function readSize(params: Readonly<Record<string, string>>, name: string): bigint {
  const text = params[name] ?? '';
  if (!SIZE.test(text)) throw new AppError('INVALID_REQUEST', `${name} must be a number of leaves`);
  return BigInt(text);
}
