import { Type } from 'typebox';
import {
  ExecutionAnswer,
  RecordExecutionAnswer,
  SubmitEvidenceAnswer,
  VerifyExecutionAnswer,
} from '../../services/verification/contract/answers.ts';
import {
  Document,
  RecordExecutionArguments,
  SubmitEvidenceArguments,
  VerifyExecutionArguments,
} from '../../services/verification/contract/arguments.ts';
import type { Endpoint } from './endpoint.ts';
import { execution, recordExecution, records, submitEvidence, verifyExecution } from './examples.ts';
import { toAnswer, toVerificationAnswer } from './guarded-call.ts';
import { verifyLater } from './verify-later.ts';

const SOLVER_TIMEOUT_MS = 25_000;
const TIMEOUT_MS = 10_000;

export const executions: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/api/v1/executions',
    operationId: 'verified_record_execution',
    summary: 'Record an execution',
    description:
      'Keeps what an agent did, under an approved plan and one satisfied check of each kind, both made after the approval, plan alignment before constraints. What was done may differ from what was proposed: its verification will say so. The execution belongs to the key that records it and to the keys of its group. Role: agent.',
    idempotencyKey: 'required',
    request: { schema: RecordExecutionArguments, examples: [recordExecution.request] },
    status: 201,
    answer: { schema: RecordExecutionAnswer, example: recordExecution.answer },
    timeoutMs: SOLVER_TIMEOUT_MS,
    async call({ caller, idempotencyKey, body, clients, settings }) {
      const request = { caller, idempotencyKey, arguments: body };
      return toAnswer(await clients.verification.call((client) => client.recordExecution, request, settings));
    },
  },
  {
    method: 'GET',
    path: '/api/v1/executions/{execution_id}',
    operationId: 'verified_get_execution',
    summary: 'Read an execution',
    description:
      'Its actions, its artifacts without their bytes, its state and its proof. An artifact whose `replaced_by` is not null no longer counts.',
    status: 200,
    answer: { schema: ExecutionAnswer, example: execution },
    timeoutMs: TIMEOUT_MS,
    async call({ caller, params, clients, settings }) {
      const request = { caller, executionId: params['execution_id'] ?? '' };
      const { answer } = await clients.verification.call((client) => client.getExecution, request, settings);
      return { body: answer };
    },
  },
  {
    method: 'GET',
    path: '/api/v1/executions/{execution_id}/records',
    operationId: 'verified_get_records',
    summary: 'Read everything that a verification reads',
    description: 'One file in canonical form: with it and a proof, every hash and verdict can be worked out elsewhere.',
    status: 200,
    answer: { schema: Document, example: records },
    timeoutMs: TIMEOUT_MS,
    async call({ caller, params, clients, settings }) {
      const request = { caller, executionId: params['execution_id'] ?? '' };
      const { answer } = await clients.verification.call((client) => client.getRecords, request, settings);
      return { body: answer };
    },
  },
  {
    method: 'POST',
    path: '/api/v1/executions/{execution_id}/evidence',
    operationId: 'verified_submit_evidence',
    summary: 'Submit evidence',
    description:
      'Up to 20 artifacts of at most 2 MiB, 8 MiB in all, for actions whose step asks for them. The same bytes, or the same JSON in other words (white space, order of members, 80.0 for 8e1), are evidence for one action. Until the execution is verified or refuted, an artifact can replace another one of the execution (`replaces`), which is kept and no longer counts. Role: agent, with the key that recorded the execution or one of its group.',
    idempotencyKey: 'required',
    request: { schema: SubmitEvidenceArguments, examples: [submitEvidence.request, submitEvidence.replacement] },
    status: 201,
    answer: { schema: SubmitEvidenceAnswer, example: submitEvidence.answer },
    timeoutMs: TIMEOUT_MS,
    async call({ caller, idempotencyKey, params, body, clients, settings }) {
      const request = { caller, idempotencyKey, executionId: params['execution_id'] ?? '', arguments: body };
      return toAnswer(await clients.verification.call((client) => client.submitEvidence, request, settings));
    },
  },
  {
    method: 'GET',
    path: '/api/v1/executions/{execution_id}/artifacts/{artifact_id}',
    operationId: 'verified_get_artifact',
    summary: 'Read the bytes of an artifact',
    description: 'As they were handed in; their media type, which its sender chose, is in X-Artifact-Media-Type.',
    status: 200,
    answer: { schema: Type.String({ format: 'binary' }), example: '', type: 'application/octet-stream' },
    timeoutMs: TIMEOUT_MS,
    async call({ caller, params, clients, settings }) {
      const request = { caller, executionId: params['execution_id'] ?? '', artifactId: params['artifact_id'] ?? '' };
      const { content, mediaType } = await clients.verification.call((client) => client.getArtifact, request, settings);
      // Whatever a stranger sent, no browser is to run it from here.
      const headers = { 'content-disposition': 'attachment', 'x-artifact-media-type': mediaType };
      return { body: Buffer.from(content), type: 'application/octet-stream', headers };
    },
  },
  {
    method: 'POST',
    path: '/api/v1/executions/{execution_id}/verify',
    operationId: 'verified_verify_execution',
    summary: 'Verify an execution',
    description:
      'Works out all four verdicts from the records alone. If all are satisfied, a proof is signed and logged. With `Prefer: respond-async`, the answer is 202 and a job. Role: agent, with the key that recorded the execution or one of its group.',
    idempotencyKey: 'required',
    request: { schema: VerifyExecutionArguments, examples: [verifyExecution.request] },
    status: 200,
    answer: { schema: VerifyExecutionAnswer, example: verifyExecution.answer },
    timeoutMs: SOLVER_TIMEOUT_MS,
    async call(call) {
      if (call.wantsJob) return verifyLater(call);
      const { caller, idempotencyKey, params, body, clients, settings } = call;
      const executionId = params['execution_id'] ?? '';
      const request = { caller, idempotencyKey, executionId, arguments: body };
      return toVerificationAnswer(
        await clients.verification.call((client) => client.verifyExecution, request, settings),
      );
    },
  },
];
