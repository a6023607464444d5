import { createHash, randomUUID } from 'node:crypto';
import { REFUND_PLAN } from '../../models/refund-plan.ts';
import { look, pay } from '../../models/refund-run.ts';
import type { Callers, Channel } from './verification-process.ts';

const SETTINGS = { timeoutMs: 60_000 };

export interface PlanRef {
  readonly plan_id: string;
  readonly plan_hash: string;
}

export interface Checks {
  readonly alignment_check_id: string;
  readonly constraints_check_id: string;
}

export interface Execution {
  readonly execution_id: string;
  readonly state: string;
  readonly received_at: string;
  readonly actions: readonly { readonly action_id: string }[];
}

interface Verdict {
  readonly verdict: string;
  readonly reasons: readonly { readonly code: string; readonly path: string }[];
}

export interface Preflight {
  readonly decision: string;
  readonly result: Verdict;
  readonly frozen: boolean;
  readonly remaining: {
    readonly steps: readonly object[];
    readonly constraints: readonly { readonly id: string; readonly slack: string | null }[];
  };
}

interface Submission {
  readonly state: string;
  readonly artifacts: readonly { readonly artifact_id: string }[];
}

interface ExecutionRecord {
  readonly state: string;
  readonly artifacts: readonly {
    readonly artifact_id: string;
    readonly replaces: string | null;
    readonly replaced_by: string | null;
  }[];
}

/** A receipt of these bytes for an action of an execution. */
export function receiptFor({ actions }: Execution, seq: number, text: string) {
  const bytes = Buffer.from(text);
  return {
    action_id: actions[seq]?.action_id,
    kind: 'receipt',
    media_type: 'application/json',
    sha256: createHash('sha256').update(bytes).digest('hex'),
    bytes_base64: bytes.toString('base64'),
  };
}

export interface Verification {
  readonly verification_id: string;
  readonly pins: { readonly queries: readonly { readonly check: string; readonly smtlib_sha256: string }[] };
  readonly state: string;
  readonly verdicts: Readonly<Record<'plan_alignment' | 'constraints' | 'evidence' | 'replay', Verdict>>;
  readonly proof_id: string | null;
}

export type CheckKind = 'plan_alignment' | 'constraints';

/** RFC 3339, UTC, with microseconds; some seconds from now. */
export const instant = (seconds = 0) => `${new Date(Date.now() + seconds * 1000).toISOString().slice(0, -1)}000Z`;

/** The refund of the contract, with other values for some of its members. */
export const planWith = (changes: object) => ({
  ...REFUND_PLAN,
  expires_at: '2099-12-31T00:00:00.000000Z',
  ...changes,
});

/** What moves no money. */
export const LOOK_ONLY = {
  tools: planWith({}).tools.slice(0, 1),
  steps: planWith({}).steps.slice(0, 1),
  constraints: [],
  variables: {},
  state: {},
};

/** A payment, without rules that take long to check. */
export const PAY_ONLY = {
  ...planWith({}),
  steps: planWith({})
    .steps.slice(1)
    .map((step) => ({ ...step, where: [], after: [] })),
  constraints: [],
  max_executions: 50,
};

/** Look, and pay all of it under an identity that is new unless it is given. */
export const refund = (identity: string = randomUUID()) => [look, pay('80.00', '0.00', identity)];

type Action = ReturnType<typeof refund>[number];

/** Every step of the flow, with what one likes; each under an idempotency key of its own unless it is given. */
export function createSteps(service: Channel, { agent, approver }: Callers) {
  const read = async <Answer>(call: Promise<{ readonly answer: string }>) => JSON.parse((await call).answer) as Answer;

  function check(kind: CheckKind, plan: PlanRef, actions: readonly Action[]) {
    const intents = actions.map(({ response: _, started_at, ended_at, ...intent }) => intent);
    const proposal = { plan_id: plan.plan_id, plan_hash: plan.plan_hash, mode: 'complete', actions: intents };
    const request = { caller: agent, idempotencyKey: '', arguments: JSON.stringify(proposal) };
    return read<{ check_id: string; result: Verdict; preview: boolean }>(
      kind === 'constraints'
        ? service.call((client) => client.verifyConstraints, request, SETTINGS)
        : service.call((client) => client.verifyPlanAlignment, request, SETTINGS),
    );
  }

  function submit({ execution_id }: Execution, artifacts: readonly object[]) {
    const body = JSON.stringify({ artifacts });
    const request = { caller: agent, idempotencyKey: randomUUID(), executionId: execution_id, arguments: body };
    return read<Submission>(service.call((client) => client.submitEvidence, request, SETTINGS));
  }

  return {
    check,

    create: (changes: object = {}) => {
      const body = JSON.stringify({ plan: planWith(changes) });
      const request = { caller: agent, idempotencyKey: '', arguments: body };
      return read<PlanRef & { readonly lint: readonly { readonly code: string; readonly path: string }[] }>(
        service.call((client) => client.createPlan, request, SETTINGS),
      );
    },

    approve: ({ plan_id, plan_hash }: PlanRef) => {
      const request = { caller: approver, idempotencyKey: randomUUID(), planId: plan_id };
      const body = JSON.stringify({ plan_hash });
      return read(service.call((client) => client.approvePlan, { ...request, arguments: body }, SETTINGS));
    },

    planState: async ({ plan_id }: PlanRef) => {
      const request = { caller: agent, planId: plan_id };
      const plan = await read<{ state: string }>(service.call((client) => client.getPlan, request, SETTINGS));
      return plan.state;
    },

    /** One of each kind. */
    checks: async (plan: PlanRef, actions: readonly Action[]): Promise<Checks> => ({
      alignment_check_id: (await check('plan_alignment', plan, actions)).check_id,
      constraints_check_id: (await check('constraints', plan, actions)).check_id,
    }),

    /** The alignment of what was recorded. */
    checkRun: ({ execution_id }: Execution) => {
      const request = { caller: agent, idempotencyKey: '', arguments: JSON.stringify({ execution_id }) };
      return read<{ check_id: string }>(service.call((client) => client.verifyPlanAlignment, request, SETTINGS));
    },

    preflight: ({ plan_id, plan_hash }: PlanRef, done: readonly Action[], action: object) => {
      const body = JSON.stringify({ plan_id, plan_hash, done, action });
      const request = { caller: agent, arguments: body };
      return read<Preflight>(service.call((client) => client.preflightAction, request, SETTINGS));
    },

    select: (selection: object) => {
      const request = { caller: agent, arguments: JSON.stringify(selection) };
      return read<object>(service.call((client) => client.exactSelect, request, SETTINGS));
    },

    execute: (plan: PlanRef, checks: Checks, actions: readonly Action[], idempotencyKey: string = randomUUID()) => {
      const { plan_id, plan_hash } = plan;
      const body = JSON.stringify({ plan_id, plan_hash, ...checks, actions });
      const request = { caller: agent, idempotencyKey, arguments: body };
      return read<Execution>(service.call((client) => client.recordExecution, request, SETTINGS));
    },

    /** A receipt for the second action. */
    evidence: (execution: Execution, content: object) =>
      submit(execution, [receiptFor(execution, 1, JSON.stringify(content))]),

    submit,

    readExecution: ({ execution_id }: Execution) => {
      const request = { caller: agent, executionId: execution_id };
      return read<ExecutionRecord>(service.call((client) => client.getExecution, request, SETTINGS));
    },

    /** The text of a question that a verification put to the solver. */
    readScript: async ({ verification_id, pins }: Verification) => {
      const sha256 = pins.queries.findLast(({ check }) => check === 'evidence')?.smtlib_sha256 ?? '';
      const request = { caller: agent, verificationId: verification_id, sha256 };
      return (await service.call((client) => client.getScript, request, SETTINGS)).smtlib;
    },

    readArtifact: async ({ execution_id }: Execution, artifactId: string) => {
      const request = { caller: agent, executionId: execution_id, artifactId };
      return (await service.call((client) => client.getArtifact, request, SETTINGS)).content.toString();
    },

    verify: ({ execution_id }: Pick<Execution, 'execution_id'>) => {
      const request = { caller: agent, idempotencyKey: randomUUID(), executionId: execution_id, arguments: '{}' };
      return read<Verification>(service.call((client) => client.verifyExecution, request, SETTINGS));
    },
  };
}

/** Actions as they were done at a time, or each at one of its own. */
export const doneAt = (actions: readonly Action[], times: readonly string[] = [instant()]): readonly Action[] =>
  actions.map((action, index) => {
    const at = times[index] ?? times[0] ?? '';
    return { ...action, started_at: at, ended_at: at };
  });
