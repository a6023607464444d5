import { createHash, randomUUID } from 'node:crypto';
import type { Static, TSchema } from 'typebox';
import type { Caller } from '../../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { createJsonReader } from '../../../../scripts/launch/parse/json-reader.ts';
import {
  ApprovePlanAnswer,
  CheckAnswer,
  CreatePlanAnswer,
  PlanAnswer,
  RecordExecutionAnswer,
  SubmitEvidenceAnswer,
  VerifyExecutionAnswer,
  WithdrawApprovalAnswer,
} from '../../../../services/verification/contract/answers.ts';
import { PreflightAnswer } from '../../../../services/verification/contract/preflight.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { HANG_MS } from '../../../kit/until.ts';
import { instant } from '../steps.ts';
import type { Channel } from '../verification-process.ts';

const SETTINGS = { timeoutMs: HANG_MS };

function answerReader<Schema extends TSchema>(schema: Schema) {
  const read = createJsonReader(schema, 'the answer');
  return async (call: Promise<{ readonly answer: string }>): Promise<Static<Schema>> => read((await call).answer);
}

const readCreated = answerReader(CreatePlanAnswer);
const readApproved = answerReader(ApprovePlanAnswer);
const readWithdrawn = answerReader(WithdrawApprovalAnswer);
const readPlan = answerReader(PlanAnswer);
const readCheck = answerReader(CheckAnswer);
const readRecorded = answerReader(RecordExecutionAnswer);
const readSubmitted = answerReader(SubmitEvidenceAnswer);
const readVerified = answerReader(VerifyExecutionAnswer);
const readPreflight = answerReader(PreflightAnswer);

interface PlanRef {
  readonly plan_id: string;
  readonly plan_hash: string;
}

/** An action that was done. Without times, it is done when it is recorded. */
export interface Done {
  readonly step_id: string;
  readonly tool: string;
  readonly tool_version: string;
  readonly args: object;
  readonly response: object;
  readonly started_at?: string;
  readonly ended_at?: string;
}

export const timed = <Action extends Done>(actions: readonly Action[]) => {
  const at = instant();
  return actions.map((action) => ({ started_at: at, ended_at: at, ...action }));
};

const intentOf = ({ step_id, tool, tool_version, args }: Done) => ({ step_id, tool, tool_version, args });

type Recorded = Static<typeof RecordExecutionAnswer>;

/** Evidence for the action of that number. */
interface Artifact {
  readonly action: number;
  readonly kind: string;
  readonly document: object;
}

/** The steps of verified execution for plans of any format, as functions. */
export function createPlanSteps(service: Channel, agent: Caller) {
  const check = (kind: 'verifyPlanAlignment' | 'verifyConstraints', plan: PlanRef, actions: readonly Done[]) => {
    const { plan_id, plan_hash } = plan;
    const body = JSON.stringify({ plan_id, plan_hash, mode: 'complete', actions: actions.map(intentOf) });
    return readCheck(
      service.call((client) => client[kind], { caller: agent, idempotencyKey: '', arguments: body }, SETTINGS),
    );
  };

  const record = async (plan: PlanRef, actions: readonly Done[]) => {
    const alignment = await check('verifyPlanAlignment', plan, actions);
    const constraints = await check('verifyConstraints', plan, actions);
    const body = JSON.stringify({
      plan_id: plan.plan_id,
      plan_hash: plan.plan_hash,
      alignment_check_id: alignment.check_id,
      constraints_check_id: constraints.check_id,
      actions: timed(actions),
    });
    const request = { caller: agent, idempotencyKey: randomUUID(), arguments: body };
    return readRecorded(service.call((client) => client.recordExecution, request, SETTINGS));
  };

  const submit = ({ execution_id, actions }: Recorded, artifacts: readonly Artifact[]) => {
    const submitted = artifacts.map(({ action, kind, document }) => {
      const bytes = Buffer.from(JSON.stringify(document));
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const { action_id } = defined(actions[action]);
      return { action_id, kind, media_type: 'application/json', sha256, bytes_base64: bytes.toString('base64') };
    });
    const request = { caller: agent, idempotencyKey: randomUUID(), executionId: execution_id };
    const body = JSON.stringify({ artifacts: submitted });
    return readSubmitted(service.call((client) => client.submitEvidence, { ...request, arguments: body }, SETTINGS));
  };

  return {
    check,
    record,

    create: (plan: object) => {
      const request = { caller: agent, idempotencyKey: '', arguments: JSON.stringify({ plan }) };
      return readCreated(service.call((client) => client.createPlan, request, SETTINGS));
    },

    approve: (caller: Caller, { plan_id, plan_hash }: PlanRef) => {
      const request = { caller, idempotencyKey: randomUUID(), planId: plan_id };
      const body = JSON.stringify({ plan_hash });
      return readApproved(service.call((client) => client.approvePlan, { ...request, arguments: body }, SETTINGS));
    },

    withdraw: (caller: Caller, { plan_id, plan_hash }: PlanRef, idempotencyKey = randomUUID()) => {
      const request = { caller, idempotencyKey, planId: plan_id, arguments: JSON.stringify({ plan_hash }) };
      return readWithdrawn(service.call((client) => client.withdrawApproval, request, SETTINGS));
    },

    read: ({ plan_id }: PlanRef) =>
      readPlan(service.call((client) => client.getPlan, { caller: agent, planId: plan_id }, SETTINGS)),

    preflight: ({ plan_id, plan_hash }: PlanRef, done: readonly Done[], next: Done) => {
      const body = JSON.stringify({ plan_id, plan_hash, done: timed(done), action: intentOf(next) });
      const request = { caller: agent, arguments: body };
      return readPreflight(service.call((client) => client.preflightAction, request, SETTINGS));
    },

    submit,

    /** Submits a receipt for each action, which has the id in its response. */
    receipts: (execution: Recorded, done: readonly { readonly response: { readonly id: string } }[]) =>
      submit(
        execution,
        done.map(({ response: { id } }, action) => ({ action, kind: 'receipt', document: { id } })),
      ),

    verify: (executionId: string) => {
      const request = { caller: agent, idempotencyKey: randomUUID(), executionId, arguments: '{}' };
      return readVerified(service.call((client) => client.verifyExecution, request, SETTINGS));
    },

    /** The files with which anyone verifies a proof. */
    download: async (executionId: string, proofId: string) => ({
      proof: (await service.call((client) => client.getProof, { caller: agent, proofId }, SETTINGS)).file,
      keys: (await service.call((client) => client.getLogKeys, {}, SETTINGS)).file,
      records: Buffer.from(
        (await service.call((client) => client.getRecords, { caller: agent, executionId }, SETTINGS)).answer,
      ),
    }),
  };
}
