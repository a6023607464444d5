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
import { ListExecutionsAnswer, ListExecutionsArguments } from '../../services/verification/contract/lists.ts';
import {
  defineEndpoint,
  LIST,
  READ_TIMEOUT_MS,
  readEndpoint,
  SOLVER_TIMEOUT_MS,
  toListArguments,
  writeEndpoint,
} from './define-endpoint.ts';
import * as examples from './examples.ts';
import { listedExecutions } from './list-examples.ts';
import { verdictsOfVerification } from './verdicts-of.ts';
import { verifyLater } from './verify-later.ts';

export const recordExecution = writeEndpoint({
  path: '/api/v1/executions',
  operationId: 'verified_record_execution',
  summary: 'Record an execution',
  description:
    'Stores what an agent did under an approved plan. It needs one satisfied check of each kind, both made after the approval, plan alignment before constraints. The actions may differ from the proposal: verification finds the difference. The execution belongs to the key that records it and to the keys of its group. Role: agent.',
  idempotencyKey: 'required',
  request: { schema: RecordExecutionArguments, examples: [examples.recordExecution.request] },
  status: 201,
  answer: { schema: RecordExecutionAnswer, example: examples.recordExecution.answer },
  timeoutMs: SOLVER_TIMEOUT_MS,
  operation: 'recordExecution',
});

export const listExecutions = readEndpoint({
  ...LIST,
  path: '/api/v1/executions',
  operationId: 'verified_list_executions',
  summary: 'List executions',
  description: `Those of one state and of one plan, or all. ${LIST.description}`,
  optionalQuery: ListExecutionsArguments.properties,
  answer: { schema: ListExecutionsAnswer, example: listedExecutions },
  operation: 'listExecutions',
  queryArguments: toListArguments,
});

export const getExecution = readEndpoint({
  path: '/api/v1/executions/{execution_id}',
  operationId: 'verified_get_execution',
  summary: 'Read an execution',
  description:
    'Its actions, its artifacts without their bytes, its state and its proof. An artifact whose `replaced_by` is not null no longer counts.',
  answer: { schema: ExecutionAnswer, example: examples.execution },
  operation: 'getExecution',
});

export const getRecords = readEndpoint({
  path: '/api/v1/executions/{execution_id}/records',
  operationId: 'verified_get_records',
  summary: 'Read everything that a verification reads',
  description: 'One file in canonical form. With it and a proof, anyone can recompute every hash and verdict.',
  answer: { schema: Document, example: examples.records },
  operation: 'getRecords',
});

export const submitEvidence = writeEndpoint({
  path: '/api/v1/executions/{execution_id}/evidence',
  operationId: 'verified_submit_evidence',
  summary: 'Submit evidence',
  description:
    'Up to 20 artifacts of at most 2 MiB each and 8 MiB together, for actions whose step asks for them. The same bytes, or equal JSON (in other white space, member order or number format), are evidence for one action only. Until the execution is verified or refuted, an artifact can replace another one of the execution (`replaces`); the replaced artifact is kept and no longer counts. Role: agent, with the key that recorded the execution or a key of its group.',
  idempotencyKey: 'required',
  request: {
    schema: SubmitEvidenceArguments,
    examples: [examples.submitEvidence.request, examples.submitEvidence.replacement],
  },
  status: 201,
  answer: { schema: SubmitEvidenceAnswer, example: examples.submitEvidence.answer },
  timeoutMs: READ_TIMEOUT_MS,
  operation: 'submitEvidence',
});

const BYTES = 'application/octet-stream';

export const getArtifact = defineEndpoint({
  method: 'GET',
  path: '/api/v1/executions/{execution_id}/artifacts/{artifact_id}',
  operationId: 'verified_get_artifact',
  summary: 'Read the bytes of an artifact',
  description: 'The bytes as they were submitted. X-Artifact-Media-Type is the media type that their sender chose.',
  status: 200,
  answer: { schema: Type.String({ format: 'binary' }), example: '', type: BYTES },
  timeoutMs: READ_TIMEOUT_MS,
  async call({ ask, params }) {
    const { content, mediaType } = await ask('getArtifact', { params });
    // A stranger chose these bytes: no browser may run them from this origin.
    const headers = { 'content-disposition': 'attachment', 'x-artifact-media-type': mediaType };
    return { serialized: content, headers };
  },
});

const verifyNow = writeEndpoint({
  path: '/api/v1/executions/{execution_id}/verify',
  operationId: 'verified_verify_execution',
  summary: 'Verify an execution',
  description:
    'Computes all four verdicts from the stored records alone. If all are satisfied, the service signs and logs a proof. With `Prefer: respond-async`, the answer is 202 and a job. Role: agent, with the key that recorded the execution or a key of its group.',
  idempotencyKey: 'required',
  request: { schema: VerifyExecutionArguments, examples: [examples.verifyExecution.request] },
  status: 200,
  answer: { schema: VerifyExecutionAnswer, example: examples.verifyExecution.answer },
  timeoutMs: SOLVER_TIMEOUT_MS,
  operation: 'verifyExecution',
  verdictsOf: verdictsOfVerification,
});

export const verifyExecution: typeof verifyNow = {
  ...verifyNow,
  call: (request) => (request.wantsJob ? verifyLater(request) : verifyNow.call(request)),
};

export const executions = [
  recordExecution,
  listExecutions,
  getExecution,
  getRecords,
  submitEvidence,
  getArtifact,
  verifyExecution,
];
