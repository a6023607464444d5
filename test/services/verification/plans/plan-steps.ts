import type { Caller } from '../../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { asked, createSteps, type Done, type Execution, instant, type PlanRef, receiptFor } from '../steps.ts';
import type { Channel } from '../verification-process.ts';

export const timed = <Action extends Done>(actions: readonly Action[]) => {
  const at = instant();
  return actions.map((action) => ({ started_at: at, ended_at: at, ...action }));
};

/** Evidence for the action of that number. */
interface Artifact {
  readonly action: number;
  readonly kind: string;
  readonly document: object;
}

/** The steps of verified execution for plans of any format, as functions. */
export function createPlanSteps(service: Channel, agent: Caller) {
  const { propose, checks, execute, preflight, approve, submit, verify, ...steps } = createSteps(service, {
    agent,
    approver: agent,
  });
  const submitAll = (execution: Execution, artifacts: readonly Artifact[]) =>
    submit(
      execution,
      artifacts.map(({ action, kind, document }) => receiptFor(execution, action, JSON.stringify(document), kind)),
    );
  return {
    ...steps,
    create: propose,
    approve: (caller: Caller, plan: PlanRef) => approve(plan, caller),
    record: async (plan: PlanRef, actions: readonly Done[]) =>
      execute(plan, await checks(plan, actions), timed(actions)),
    preflight: (plan: PlanRef, done: readonly Done[], next: Done) => preflight(plan, timed(done), asked(next)),
    submit: submitAll,

    /** Submits a receipt for each action, which has the id in its response. */
    receipts: (execution: Execution, done: readonly { readonly response: { readonly id: string } }[]) =>
      submitAll(
        execution,
        done.map(({ response: { id } }, action) => ({ action, kind: 'receipt', document: { id } })),
      ),

    verify: (executionId: string) => verify({ execution_id: executionId }),
  };
}
