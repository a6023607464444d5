import { createHash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import {
  CheckAnswer,
  RecordExecutionAnswer,
  SubmitEvidenceAnswer,
  VerifyExecutionAnswer,
} from '../../services/verification/contract/answers.ts';
import { ReportRunArguments } from '../../services/verification/contract/arguments.ts';
import type { Operation } from '../../services/verification/contract/client.ts';
import { shapeFault } from '../../workers/exact/shape-fault.ts';
import { AppError } from '../errors/app-error.ts';
import { assertIdempotencyKey, parseArguments } from './arguments.ts';
import { defineEndpoint, type EndpointCall, SOLVER_TIMEOUT_MS } from './define-endpoint.ts';
import * as examples from './examples.ts';

const { alignment_check_id: _, constraints_check_id: __, ...RUN } = examples.recordExecution.request;
const artifacts = examples.submitEvidence.request.artifacts.map(({ action_id: ___, ...artifact }) => ({
  ...artifact,
  action: 1,
}));

const EXAMPLE = {
  request: { ...RUN, artifacts },
  answer: {
    stopped_at: null,
    checks: { plan_alignment: examples.check.answer, constraints: examples.constraintsCheck },
    execution: examples.recordExecution.answer,
    evidence: examples.submitEvidence.answer,
    verification: examples.verifyExecution.answer,
  },
};

/** Artifacts of one submission. */
const BATCH = 20;

const body = Compile(ReportRunArguments);
const nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

const ReportRunAnswer = Type.Object(
  {
    stopped_at: Type.Union(
      [Type.Literal('plan_alignment'), Type.Literal('constraints'), Type.Literal('evidence'), Type.Null()],
      { description: 'The step after which nothing was done. Before `evidence`, nothing was recorded' },
    ),
    checks: Type.Object(
      { plan_alignment: CheckAnswer, constraints: nullable(CheckAnswer) },
      { additionalProperties: false },
    ),
    execution: nullable(RecordExecutionAnswer),
    evidence: nullable(SubmitEvidenceAnswer),
    verification: nullable(VerifyExecutionAnswer),
  },
  { additionalProperties: false },
);

/** The steps from the check of the alignment to the verification, in order, under one idempotency key. */
export const reportRun = defineEndpoint({
  method: 'POST',
  path: '/api/v1/runs',
  operationId: 'verified_report_run',
  summary: 'Report a run, from the checks to the verification',
  description:
    'Does what the calls for plan alignment, constraints, execution, evidence and verification do, in this order, for a run that was done. Each step stays done; the same request under the same Idempotency-Key goes on where it stopped. If a check is not satisfied, nothing is recorded; if required evidence is missing, nothing is verified: `stopped_at` says so. A refusal of a step is the answer. Role: agent.',
  idempotencyKey: 'required',
  request: { schema: ReportRunArguments, examples: [EXAMPLE.request] },
  status: 200,
  answer: { schema: ReportRunAnswer, example: EXAMPLE.answer },
  timeoutMs: SOLVER_TIMEOUT_MS,
  async call(call) {
    const given = parseArguments(call.body);
    if (!body.Check(given)) {
      const { path, message } = shapeFault(body.Errors(given)[1]);
      throw new AppError('MALFORMED_INPUT', `${path}: ${message}`);
    }
    const steps = stepsOf(call);
    const { plan_id, plan_hash, actions, artifacts } = given;
    const unknown = artifacts.findIndex(({ action }) => action >= actions.length);
    if (unknown >= 0) throw new AppError('MALFORMED_INPUT', `/artifacts/${unknown}/action: there is no such action`);
    const intents = actions.map(({ step_id, tool, tool_version, args }) => ({ step_id, tool, tool_version, args }));
    const proposal = { plan_id, plan_hash, mode: 'complete', actions: intents };
    const answer = { stopped_at: null, execution: null, evidence: null, verification: null } as const;

    const aligned = await steps.check('plan_alignment', proposal);
    const checks = { plan_alignment: aligned, constraints: null };
    if (!isSatisfied(aligned)) return { value: { ...answer, stopped_at: 'plan_alignment' as const, checks } };
    const constrained = await steps.check('constraints', proposal);
    const both = { plan_alignment: aligned, constraints: constrained };
    if (!isSatisfied(constrained)) return { value: { ...answer, stopped_at: 'constraints' as const, checks: both } };

    const ids = { alignment_check_id: aligned.check_id, constraints_check_id: constrained.check_id };
    const execution = await steps.record({ plan_id, plan_hash, ...ids, actions });
    let evidence: Submission | null = null;
    for (let first = 0; first < artifacts.length; first += BATCH) {
      const batch = artifacts.slice(first, first + BATCH).map(({ action, ...artifact }) => {
        return { ...artifact, action_id: execution.actions[action]?.action_id };
      });
      evidence = await steps.submit(execution.execution_id, batch, first);
    }
    const missing = evidence?.missing ?? execution.evidence_required;
    const done = { ...answer, checks: both, execution, evidence };
    if (missing.length > 0) return { value: { ...done, stopped_at: 'evidence' as const } };
    const verification = await steps.verify(execution.execution_id);
    const verdicts = Object.fromEntries(
      Object.entries(verification.verdicts).map(([name, { verdict }]) => [name, verdict]),
    );
    return { value: { ...done, verification }, verdicts };
  },
});

type Check = Static<typeof CheckAnswer>;
type Submission = Static<typeof SubmitEvidenceAnswer>;

const isSatisfied = ({ result, preview }: Check): boolean => result.verdict === 'satisfied' && !preview;

interface Step {
  readonly step: string;
  readonly args: object;
  readonly executionId?: string;
}

/** The steps, each under a key of its own that follows from the caller's. */
function stepsOf({ ask, idempotencyKey }: EndpointCall) {
  assertIdempotencyKey(idempotencyKey);
  const run = createHash('sha256').update(idempotencyKey).digest('hex');
  const write = async <Value>(operation: Operation, { step, args, executionId }: Step): Promise<Value> => {
    const params = executionId === undefined ? {} : { execution_id: executionId };
    const key = `run-${run}-${step}`;
    const { answer } = await ask(operation, { params, idempotencyKey: key, arguments: JSON.stringify(args) });
    return JSON.parse(answer) as Value;
  };
  return {
    check: (kind: 'plan_alignment' | 'constraints', proposal: object) =>
      write<Check>(kind === 'constraints' ? 'verifyConstraints' : 'verifyPlanAlignment', {
        step: kind,
        args: proposal,
      }),
    record: (args: object) => write<Static<typeof RecordExecutionAnswer>>('recordExecution', { step: 'record', args }),
    submit: (executionId: string, artifacts: readonly object[], first: number) =>
      write<Submission>('submitEvidence', { step: `evidence-${first}`, args: { artifacts }, executionId }),
    verify: (executionId: string) =>
      write<VerifyExecutionAnswer>('verifyExecution', { step: 'verify', args: {}, executionId }),
  };
}
