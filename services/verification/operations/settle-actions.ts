import { reportedOutcome } from '../../../workers/exact/action-schema.ts';
import { canonicalText } from '../../../workers/exact/canonical-json.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { findToolList } from '../catalogue/tool-records.ts';
import type { SubmitEvidenceArguments } from '../contract/arguments.ts';
import { nextRun } from '../records/earlier-runs.ts';
import { findActions, withResponses } from '../records/execution-records.ts';
import { findOwnRun } from '../records/own-run.ts';
import { findParts, lockPlan } from '../records/plan-records.ts';
import { readActs, takingIdentities } from '../records/read-acts.ts';
import { hashExecution } from '../records/record-hashes.ts';
import { readActions, readPlanDocument } from '../records/stored-documents.ts';
import type { Caller } from '../tenants/keys.ts';
import { malformed } from '../tenants/requests.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import type { Call } from './define.ts';
import type { OperationDeps } from './operation.ts';

export interface Settlement {
  readonly isRevenueWrite: boolean;
  /** Stores the responses. The execution is locked. */
  readonly apply: (transaction: TenantTransaction) => Promise<void>;
}

interface Settling {
  readonly caller: Caller;
  readonly executionId: string;
  readonly settled: NonNullable<SubmitEvidenceArguments['settled']>;
}

/**
 * Reads the responses of actions that were recorded as failed, or with an unknown outcome, and turned out to be done.
 * @throws {ServiceError} NOT_FOUND, KEY_NOT_OWNER, MALFORMED_INPUT
 */
export async function readSettlement(
  { options, inTenant }: Call<unknown>,
  deps: OperationDeps,
  settling: Settling,
): Promise<Settlement> {
  const { caller, settled } = settling;
  if (settled.length === 0) return { isRevenueWrite: false, apply: async () => undefined };
  const { actions, changed, record, parts, list } = await inTenant(async (transaction) => {
    const found = await findSettled(transaction, settling);
    return {
      ...found,
      parts: await findParts(transaction, found.record),
      list: await findToolList(transaction, deps.toolList),
    };
  });
  const acts = await readActs(deps, { actions, record, parts, list }, options);
  return {
    isRevenueWrite: changed.some(({ seq }) => defined(acts[seq]).isRevenueWrite),
    apply: async (transaction) => {
      // A run that is recorded at the same time sees all of it, or nothing.
      if (readPlanDocument(record).runs !== undefined) await lockPlan(transaction, record.plan_id);
      const now = await findSettled(transaction, settling);
      const row = {
        tenant_id: caller.tenantId,
        execution_id: settling.executionId,
        execution_hash: hashExecution(now.record.plan_hash, now.actions),
        settled_by: caller.keyId,
        seen_from: await nextRun(transaction, record),
      };
      const rows = now.changed.map(({ seq, action_id, response }) => ({
        ...row,
        seq,
        action_id,
        response: canonicalText(response),
      }));
      await transaction.insertInto('verification.settlement').values(rows).execute();
      const identified = now.changed.flatMap(({ seq, action_id }) => {
        const { identity } = defined(acts[seq]);
        return identity === undefined ? [] : [{ action_id, identity }];
      });
      // In one order, so that two settlements with the same identities do not wait for each other in a circle.
      for (const { action_id, identity } of identified.toSorted((a, b) => (a.identity < b.identity ? -1 : 1))) {
        const write = transaction
          .updateTable('verification.action')
          .set({ identity })
          .where('action_id', '=', action_id);
        await takingIdentities(() => write.execute());
      }
    },
  };
}

/** The actions as they are if the settlement is stored. @throws {ServiceError} NOT_FOUND, KEY_NOT_OWNER, MALFORMED_INPUT */
async function findSettled(transaction: TenantTransaction, { caller, executionId, settled }: Settling) {
  const { execution, record } = await findOwnRun(transaction, caller, executionId);
  if (execution.state === 'verified' || execution.state === 'refuted') {
    throw new ServiceError('EXECUTION_CLOSED', `the execution is ${execution.state}`);
  }
  const before = readActions(execution);
  const ids = await findActions(transaction, executionId);
  const responses = new Map<number, unknown>();
  const changed = settled.map(({ action_id, response }, index) => {
    const seq = ids.find((id) => id.action_id === action_id)?.seq;
    const fault = (message: string) => malformed(`/settled/${index}/action_id`, message);
    if (seq === undefined) throw fault('is not an action of the execution');
    if (reportedOutcome(defined(before[seq])) === 'done' || responses.has(seq))
      throw fault('is an action that is done');
    responses.set(seq, response);
    return { seq, action_id, response };
  });
  return { record, changed, actions: withResponses(before, responses) };
}
