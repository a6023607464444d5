// Generated from gateway/client by `npm run generate`.
import type { Connection } from './connection.mjs';
import { type CallFailure } from './outcome.mjs';
import type { ApprovedPlan, Artifact, AttachedEvidence, CreatedPlan, NamedPlan, NextAction, Preflight, Proof, ProposedPlan, RecordedExecution, Run, Verification } from './plan-types.mjs';
import type { Store } from './store.mjs';
/** Keys of one tenant. Each request has the key of the role that it needs. */
export type Keys = Readonly<Partial<Record<'agent' | 'approver' | 'reader', string>>>;
export type PlanOutcome<Result> = {
    readonly ok: true;
    readonly result: Result;
} | CallFailure;
/** A state of a verification. The last one has the result, or is a failure. */
export type VerifyStep = {
    readonly ok: true;
    readonly state: 'queued' | 'running';
} | {
    readonly ok: true;
    readonly state: 'succeeded';
    readonly result: Verification;
} | CallFailure;
/**
 * Verified execution, which charges nothing. A call that is repeated after `retry.how` was `again` is the same call: it has
 * no second effect. A method throws a TypeError if the key of its role is missing.
 */
export interface Plans {
    /** Role: agent. */
    propose(plan: ProposedPlan): Promise<PlanOutcome<CreatedPlan>>;
    /** Role: approver, and not the key that proposed the plan. */
    approve(plan: NamedPlan): Promise<PlanOutcome<ApprovedPlan>>;
    /** Asks whether an action may be done next. Role: agent. */
    preflight(next: NextAction): Promise<PlanOutcome<Preflight>>;
    /** Checks what was done against the plan and its rules, and records it if both are satisfied. Role: agent. */
    record(run: Run): Promise<PlanOutcome<RecordedExecution>>;
    /** Hands in evidence. Role: agent. */
    attach(executionId: string, artifacts: readonly Artifact[]): Promise<PlanOutcome<AttachedEvidence>>;
    /** Starts a verification and asks for its state until it ends. To iterate again follows the same verification. Role: agent. */
    verify(executionId: string): AsyncIterable<VerifyStep>;
    /** Role: reader. */
    proof(proofId: string): Promise<PlanOutcome<Proof>>;
}
interface PlanTerms extends Connection {
    readonly keys: Keys;
    readonly store: Store;
}
export declare function createPlans({ keys, store, ...connection }: PlanTerms): Plans;
export {};
