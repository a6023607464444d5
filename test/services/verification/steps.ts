import { createHash, randomUUID } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import type { Static, TSchema } from 'typebox';
import type { Caller } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { createJsonReader } from '../../../scripts/launch/parse/json-reader.ts';
import { CallError } from '../../../services/platform/grpc/grpc-client.ts';
import {
  ApprovePlanAnswer,
  CheckAnswer,
  CreatePlanAnswer,
  ExecutionAnswer,
  PlanAnswer,
  RecordExecutionAnswer,
  RejectPlanAnswer,
  SubmitEvidenceAnswer,
  VerifyExecutionAnswer,
  WithdrawApprovalAnswer,
} from '../../../services/verification/contract/answers.ts';
import type { Asked, Operation } from '../../../services/verification/contract/client.ts';
import { PreflightAnswer } from '../../../services/verification/contract/preflight.ts';
import { ReleaseAnswer, ReserveAnswer } from '../../../services/verification/contract/reservations.ts';
import { SelectAnswer } from '../../../services/verification/contract/select.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { HANG_MS } from '../../kit/until.ts';
import { catalogued, ORDER_TOOL, REFUND_TOOL, type WithTools } from '../../models/catalogued.ts';
import { REFUND_PLAN } from '../../models/refund-plan.ts';
import { look, pay } from '../../models/refund-run.ts';
import type { Callers, Channel } from './verification-process.ts';

const SETTINGS = { timeoutMs: HANG_MS };
const SOON_SECONDS = 2;

export interface PlanRef {
  readonly plan_id: string;
  readonly plan_hash: string;
}

export interface Checks {
  readonly alignment_check_id: string;
  readonly constraints_check_id: string;
}

export type Execution = Static<typeof RecordExecutionAnswer>;
type Verification = VerifyExecutionAnswer;

/** A receipt, or other evidence, with this text for an action of an execution. */
export function receiptFor({ actions }: Pick<Execution, 'actions'>, seq: number, text: string, kind = 'receipt') {
  const bytes = Buffer.from(text);
  return {
    action_id: defined(actions[seq]).action_id,
    kind,
    media_type: 'application/json',
    sha256: createHash('sha256').update(bytes).digest('hex'),
    bytes_base64: bytes.toString('base64'),
  };
}

export type CheckKind = 'plan_alignment' | 'constraints';

/** The time in `seconds` seconds: RFC 3339, UTC, with microseconds. */
export const instant = (seconds = 0) => `${new Date(Date.now() + seconds * 1000).toISOString().slice(0, -1)}000Z`;

/** The plan of a refund by tools of the catalogue, with changes to some of its members. */
export const planWith = (changes: object) => ({
  ...REFUND_PLAN,
  expires_at: '2099-12-31T00:00:00.000000Z',
  tools: [ORDER_TOOL, REFUND_TOOL],
  ...changes,
});

/** A plan that moves no money. */
export const LOOK_ONLY = {
  tools: [ORDER_TOOL],
  steps: planWith({}).steps.slice(0, 1),
  constraints: [],
  variables: {},
  state: {},
};

/** A plan of one payment, without rules that take long to check. */
export const PAY_ONLY = {
  ...planWith({}),
  steps: planWith({})
    .steps.slice(1)
    .map((step) => ({ ...step, where: [], after: [] })),
  constraints: [],
  max_executions: 50,
};

/** Looks up the order and refunds all of it, under a new identity by default. */
export const refund = (identity: string = randomUUID()) => [look, pay('80.00', '0.00', identity)];

/** An action that was done. Without times, it is done when it is recorded. */
export interface Done {
  readonly step_id: string;
  readonly tool: string;
  readonly tool_version: string;
  readonly args: object;
  readonly outcome?: 'done' | 'failed' | 'unknown';
  readonly response?: unknown;
  readonly started_at?: string;
  readonly ended_at?: string;
}

/** The part of an action that is known before it is done. */
export const asked = ({ step_id, tool, tool_version, args }: Done) => ({ step_id, tool, tool_version, args });

/** Reads the answer of a call, and checks it with the published schema. */
export function answerReader<Schema extends TSchema>(schema: Schema) {
  const read = createJsonReader(schema, 'the answer');
  return async (call: Promise<{ readonly answer: string }>): Promise<Static<Schema>> => read((await call).answer);
}

const readPlanCreated = answerReader(CreatePlanAnswer);
const readPlanApproved = answerReader(ApprovePlanAnswer);
const readPlanWithdrawn = answerReader(WithdrawApprovalAnswer);
const readPlanRejected = answerReader(RejectPlanAnswer);
const readPlanRecord = answerReader(PlanAnswer);
const readCheck = answerReader(CheckAnswer);
const readPreflight = answerReader(PreflightAnswer);
const readReserved = answerReader(ReserveAnswer);
const readReleased = answerReader(ReleaseAnswer);
const readSelection = answerReader(SelectAnswer);
const readRecorded = answerReader(RecordExecutionAnswer);
const readSubmission = answerReader(SubmitEvidenceAnswer);
const readExecutionRecord = answerReader(ExecutionAnswer);
const readVerification = answerReader(VerifyExecutionAnswer);

/** The steps of verified execution as functions. Each write has a new idempotency key by default. */
export function createSteps(service: Channel, { agent, approver }: Pick<Callers, 'agent' | 'approver'>) {
  /** What a call says of a plan. */
  const of = ({ plan_id, plan_hash }: PlanRef, more: object = {}) => JSON.stringify({ plan_id, plan_hash, ...more });

  const ask = (operation: Operation, request: Asked) => service.ask(operation, { caller: agent, ...request }, SETTINGS);
  const write = (operation: Operation, request: Asked) => ask(operation, { idempotencyKey: randomUUID(), ...request });

  function check(kind: CheckKind, plan: PlanRef, actions: readonly Done[]) {
    const request = { arguments: of(plan, { mode: 'complete', actions: actions.map(asked) }) };
    return readCheck(ask(kind === 'constraints' ? 'verifyConstraints' : 'verifyPlanAlignment', request));
  }

  function submit(
    { execution_id }: Execution,
    artifacts: readonly object[],
    { settled, idempotencyKey = randomUUID() }: { settled?: readonly object[]; idempotencyKey?: string } = {},
  ) {
    const body = JSON.stringify({ artifacts, settled });
    return readSubmission(ask('submitEvidence', { idempotencyKey, params: { execution_id }, arguments: body }));
  }

  /** Describes the tools of the plan that are for a catalogue, and proposes it. */
  async function propose<Plan extends WithTools>(described: Plan) {
    const { plan, tools } = catalogued(described);
    for (const tool of tools) await describe(tool);
    return readPlanCreated(ask('createPlan', { arguments: JSON.stringify({ plan }) }));
  }

  /** Does nothing if the operator describes the tool. */
  async function describe(tool: string) {
    try {
      await ask('createTool', { caller: approver, arguments: `{"tool":${tool}}` });
    } catch (error) {
      if (!(error instanceof CallError && error.code === 'TOOL_EXISTS')) throw error;
    }
  }

  const read = ({ plan_id }: PlanRef) => readPlanRecord(ask('getPlan', { params: { plan_id } }));

  const approve = ({ plan_id, plan_hash }: PlanRef, caller = approver) =>
    readPlanApproved(write('approvePlan', { caller, params: { plan_id }, arguments: JSON.stringify({ plan_hash }) }));

  /** Makes one check of each kind. */
  const checks = async (plan: PlanRef, actions: readonly Done[]): Promise<Checks> => ({
    alignment_check_id: (await check('plan_alignment', plan, actions)).check_id,
    constraints_check_id: (await check('constraints', plan, actions)).check_id,
  });

  const execute = (plan: PlanRef, made: Checks, actions: readonly Done[], idempotencyKey: string = randomUUID()) =>
    readRecorded(ask('recordExecution', { idempotencyKey, arguments: of(plan, { ...made, actions }) }));

  const file = async (operation: Operation, params: Asked['params'] = {}) =>
    Buffer.from((await ask(operation, { params })).answer);

  const create = (changes: object = {}) => propose(planWith(changes));

  return {
    check,
    submit,
    propose,
    read,
    approve,
    create,
    checks,
    execute,

    /** Creates and approves a plan. */
    approved: async (changes: object = {}): Promise<PlanRef> => {
      const plan = await create(changes);
      await approve(plan);
      return plan;
    },

    withdraw: (caller: Caller, { plan_id, plan_hash }: PlanRef, idempotencyKey = randomUUID()) => {
      const request = { caller, idempotencyKey, params: { plan_id }, arguments: JSON.stringify({ plan_hash }) };
      return readPlanWithdrawn(ask('withdrawApproval', request));
    },

    reject: (
      caller: Caller,
      { plan_id, plan_hash }: PlanRef,
      {
        reason = 'No',
        idempotencyKey = randomUUID(),
      }: { readonly reason?: unknown; readonly idempotencyKey?: string } = {},
    ) => {
      const request = { caller, idempotencyKey, params: { plan_id }, arguments: JSON.stringify({ plan_hash, reason }) };
      return readPlanRejected(ask('rejectPlan', request));
    },

    planState: async (plan: PlanRef) => (await read(plan)).state,

    /** Checks the alignment of the recorded actions. */
    checkRun: ({ execution_id }: Execution) =>
      readCheck(ask('verifyPlanAlignment', { arguments: JSON.stringify({ execution_id }) })),

    preflight: (plan: PlanRef, done: readonly object[], action: object) =>
      readPreflight(ask('preflightAction', { arguments: of(plan, { done, action }) })),

    reserve: (
      plan: PlanRef,
      action: Done,
      { run, idempotencyKey = randomUUID() }: { readonly run?: string; readonly idempotencyKey?: string } = {},
    ) => readReserved(ask('reserveAction', { idempotencyKey, arguments: of(plan, { action: asked(action), run }) })),

    release: ({ reservation_id }: { readonly reservation_id: string }) =>
      readReleased(write('releaseReservation', { params: { reservation_id }, arguments: '{}' })),

    select: (selection: object) => readSelection(ask('exactSelect', { arguments: JSON.stringify(selection) })),

    /** Checks actions, and records that they were done: now, or at these times. */
    run: async (plan: PlanRef, actions: readonly Done[], times?: readonly string[]) =>
      execute(plan, await checks(plan, actions), doneAt(actions, times)),

    /** Submits a receipt for the second action. */
    evidence: (execution: Execution, content: object) =>
      submit(execution, [receiptFor(execution, 1, JSON.stringify(content))]),

    readExecution: ({ execution_id }: Pick<Execution, 'execution_id'>) =>
      readExecutionRecord(ask('getExecution', { params: { execution_id } })),

    /** Reads the solver's script for the evidence of a verification. */
    readScript: async ({ verification_id, pins }: Verification) => {
      const { smtlib_sha256 } = defined(pins.queries.findLast(({ check }) => check === 'evidence'));
      return (await ask('getScript', { params: { verification_id, smtlib_sha256 } })).answer;
    },

    readArtifact: async ({ execution_id }: Execution, artifact_id: string) =>
      (await ask('getArtifact', { params: { execution_id, artifact_id } })).content.toString(),

    verify: ({ execution_id }: Pick<Execution, 'execution_id'>) =>
      readVerification(write('verifyExecution', { params: { execution_id }, arguments: '{}' })),

    /** The files with which anyone verifies a proof. */
    download: async (executionId: string, proofId: string) => ({
      proof: await file('getProof', { proof_id: proofId }),
      keys: await file('getLogKeys'),
      records: await file('getRecords', { execution_id: executionId }),
    }),
  };
}

/** That a recorded execution is kept and refuted, for this reason. */
export async function refuted(
  t: ExecutionContext,
  call: Promise<{ readonly state: string; readonly refused?: readonly { code: string; message: string }[] }>,
  code: string,
  message = /./,
) {
  const { state, refused: reasons = [] } = await call;
  t.deepEqual([state, ...reasons.map((reason) => reason.code)], ['refuted', code]);
  t.regex(String(reasons[0]?.message), message);
}

export const refused = async (t: ExecutionContext, call: Promise<unknown>, code: string, message = /./) => {
  await t.throwsAsync(call, { code, message });
};

/** Makes a plan that expires soon, but not before `prepare` has ended. */
export async function expiring(
  { create }: Pick<ReturnType<typeof createSteps>, 'create'>,
  prepare: (plan: PlanRef) => Promise<unknown> = async () => {},
): Promise<PlanRef> {
  for (let seconds = SOON_SECONDS; ; seconds *= 2) {
    try {
      const plan = await create({ expires_at: instant(seconds) });
      await prepare(plan);
      return plan;
    } catch (error) {
      // The plan expired too early: it gets more time.
      if (!(error instanceof CallError)) throw error;
      if (error.code !== 'MALFORMED_INPUT' && error.code !== 'PLAN_CLOSED') throw error;
    }
  }
}

/** Sets the times of actions: the time with the index of the action, or else the first time. */
export const doneAt = <Action extends Done>(actions: readonly Action[], times: readonly string[] = [instant()]) =>
  actions.map((action, index) => {
    const at = times[index] ?? defined(times[0]);
    return { ...action, started_at: at, ended_at: at };
  });
