import type { Connection } from './connection.ts';
import { type Answer, faultOf, isFaultOfRequest, retryAfterMs, send } from './http.ts';
import { type CallFailure, notCharged, stopped } from './outcome.ts';
import { random32 } from './payment.ts';
import type {
  ApprovedPlan,
  Artifact,
  AttachedEvidence,
  Check,
  CreatedPlan,
  NamedPlan,
  NextAction,
  Preflight,
  Proof,
  ProposedPlan,
  RecordedExecution,
  Run,
  Verification,
} from './plan-types.ts';
import { createQueues } from './queues.ts';
import type { Store } from './store.ts';
import { canonicalText, isText, membersOf, sha256, sha256Of, toBinary } from './values.ts';

/** Keys of one tenant. Each request has the key of the role that it needs. */
export type Keys = Readonly<Partial<Record<'agent' | 'approver' | 'reader', string>>>;

export type PlanOutcome<Result> = { readonly ok: true; readonly result: Result } | CallFailure;

/** A state of a verification. The last one has the result, or is a failure. */
export type VerifyStep =
  | { readonly ok: true; readonly state: 'queued' | 'running' }
  | { readonly ok: true; readonly state: 'succeeded'; readonly result: Verification }
  | CallFailure;

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

type Role = keyof Keys;
type Members = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;

const POLL_MS = 500;

export function createPlans({ keys, store, ...connection }: PlanTerms): Plans {
  const inTurn = createQueues();

  async function ask<Result>(
    role: Role,
    path: string,
    input?: object,
    headers: Headers = {},
  ): Promise<PlanOutcome<Result>> {
    const url = new URL(`/api/v1/${path}`, connection.origin);
    const request = input === undefined ? { url } : { url, body: canonicalText(JSON.parse(JSON.stringify(input))) };
    return readAnswer(await send(connection, request, { authorization: `Bearer ${keyOf(role)}`, ...headers }));
  }

  /** @throws {TypeError} */
  function keyOf(role: Role): string {
    const key = keys[role];
    if (!isText(key, /^[!-~]+$/)) throw new TypeError(`this needs keys.${role}`);
    return key;
  }

  /** The idempotency key of a logical call. The store keeps it until the call has ended. */
  async function keyOfCall(name: string): Promise<string> {
    const [kept] = await store.list(name);
    if (kept !== undefined) return kept.value;
    const key = random32();
    await store.set(name, key);
    return key;
  }

  const nameOf = async (role: Role, path: string, input: object): Promise<string> =>
    `tollhouse-plans-${await sha256(JSON.stringify([connection.origin, keyOf(role), path, input]))}`;

  async function write<Result>(
    role: Role,
    path: string,
    input: object,
    run = (key: string) => ask<Result>(role, path, input, { 'idempotency-key': key }),
  ): Promise<PlanOutcome<Result>> {
    const name = await nameOf(role, path, input);
    return inTurn(name, async () => {
      try {
        const outcome = await run(await keyOfCall(name));
        if (outcome.ok || outcome.retry.how !== 'again') await store.delete(name);
        return outcome;
      } catch (cause) {
        return notStored(cause);
      }
    });
  }

  async function record({ plan_id, plan_hash, actions }: Run, key: string): Promise<PlanOutcome<RecordedExecution>> {
    const intents = actions.map(({ step_id, tool, tool_version, args }) => ({ step_id, tool, tool_version, args }));
    const ids: Record<string, string> = {};
    for (const [id, kind] of [
      ['alignment_check_id', 'plan-alignment'],
      ['constraints_check_id', 'constraints'],
    ] as const) {
      const proposal = { plan_id, plan_hash, mode: 'complete', actions: intents };
      const checked = await ask<Check>('agent', `verify/${kind}`, proposal, { 'idempotency-key': `${key}-${kind}` });
      if (!checked.ok) return checked;
      const { check_id, result } = checked.result;
      if (result.verdict !== 'satisfied') return stopped('NOT_SATISFIED', `${kind}: ${JSON.stringify(result)}`);
      ids[id] = check_id;
    }
    return ask('agent', 'executions', { plan_id, plan_hash, ...ids, actions }, { 'idempotency-key': key });
  }

  async function* verify(executionId: string): AsyncGenerator<VerifyStep> {
    const path = `executions/${encodeURIComponent(executionId)}/verify`;
    const name = await nameOf('agent', path, {});
    try {
      const headers = { 'idempotency-key': await inTurn(name, () => keyOfCall(name)), prefer: 'respond-async' };
      for (let job = await ask('agent', path, {}, headers); ; ) {
        const step = job.ok ? readJob(membersOf(job.result)) : job;
        const isEnded = step.ok ? step.state === 'succeeded' : step.retry.how !== 'again';
        if (isEnded) await store.delete(name);
        yield step;
        if (!step.ok || step.state === 'succeeded') return;
        await new Promise((done) => setTimeout(done, POLL_MS));
        job = await ask('agent', `jobs/${encodeURIComponent(String(membersOf(job.ok && job.result)['job_id']))}`);
      }
    } catch (cause) {
      yield notStored(cause);
    }
  }

  return {
    propose: (plan) => write('agent', 'plans', plan),
    approve: ({ plan_id, plan_hash }) =>
      write('approver', `plans/${encodeURIComponent(plan_id)}/approve`, { plan_hash }),
    preflight: (next) => ask('agent', 'preflight', next),
    record: (run) => write('agent', 'executions', run, (key) => record(run, key)),
    async attach(executionId, artifacts) {
      const documents = artifacts.map(async ({ bytes, ...artifact }) => {
        return { ...artifact, sha256: await sha256Of(bytes), bytes_base64: btoa(toBinary(bytes)) };
      });
      const path = `executions/${encodeURIComponent(executionId)}/evidence`;
      const input = { artifacts: await Promise.all(documents) };
      return write('agent', path, input);
    },
    verify: (executionId) => ({ [Symbol.asyncIterator]: () => verify(executionId) }),
    proof: (proofId) => ask('reader', `proofs/${encodeURIComponent(proofId)}`),
  };
}

/** With the key that was kept, or with a new one if nothing was sent, the same call has one effect. */
const notStored = (cause: unknown): CallFailure =>
  notCharged({ code: 'STORE_FAILED', message: 'the store failed', cause }, { how: 'again', afterMs: 0 });

/** The server validates its answers, so their shape is not checked again. */
function readAnswer<Result>(answer: Answer | Error): PlanOutcome<Result> {
  if (!(answer instanceof Error) && answer.status < 300 && answer.json !== undefined)
    return { ok: true, result: answer.json as Result };
  const fault = faultOf(answer);
  const isFinal = !(answer instanceof Error) && (isFaultOfRequest(answer) || FINAL.includes(answer.status));
  return notCharged(fault, isFinal ? { how: 'change' } : { how: 'again', afterMs: retryAfterMs(answer) });
}

/** Where nothing is paid, these end a call too. */
const FINAL: readonly number[] = [401, 402, 409];

function readJob({ state, answer, error }: Members): VerifyStep {
  if (state === 'queued' || state === 'running') return { ok: true, state };
  if (state === 'succeeded' && answer !== null) return { ok: true, state, result: answer as Verification };
  const { code, message } = membersOf(error);
  return stopped(String(code ?? 'UNEXPECTED_ANSWER'), String(message ?? `the verification is ${state}`));
}
