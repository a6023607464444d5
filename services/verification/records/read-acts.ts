import type { ActionDocument } from '../../../workers/exact/action-schema.ts';
import { canonicalText } from '../../../workers/exact/canonical-json.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { brokenConstraint } from '../../store/unique.ts';
import { effectOf, findTool, type ToolList } from '../catalogue/tool-list.ts';
import type { Solver } from '../solver/solver.ts';
import { malformed } from '../tenants/requests.ts';
import { actIdentity } from './act-identity.ts';
import { type PlanParts, type PlanRecord, planTools } from './plan-records.ts';

/** What the service needs to know of a reported action. */
export interface ReadAct {
  readonly isRevenueWrite: boolean;
  /** Of an act that moves money and is done. */
  readonly identity: string | undefined;
  /** Whether another action counts for it. */
  readonly isAttempt: boolean;
  /** Why its arguments are not those of its tool. */
  readonly fault: { readonly path: string; readonly message: string } | undefined;
}

export interface ReportedActs {
  readonly actions: readonly ActionDocument[];
  readonly record: PlanRecord;
  readonly parts: PlanParts;
  readonly list: ToolList;
}

/** Reads actions as the plan types them. @throws {ServiceError} MALFORMED_INPUT */
export async function readActs(
  { solver }: { readonly solver: Solver },
  { actions, record, parts, list }: ReportedActs,
  options: Parameters<Solver['readActions']>[1],
): Promise<readonly ReadAct[]> {
  const read = await solver.readActions({ ...parts, actions: canonicalText(actions) }, options);
  if (read.fault !== undefined) throw malformed(read.fault.path, read.fault.message);
  const tools = planTools(record);
  return actions.map((action, seq) => {
    const { identity: planned, isAttempt = false, fault } = defined(read.actions[seq]);
    const isRevenueWrite = effectOf(tools, action, list) === 'revenue_write';
    const act = { action, seq, tool: findTool(tools, action), planned };
    return { isRevenueWrite, identity: isRevenueWrite ? actIdentity(act, list) : undefined, isAttempt, fault };
  });
}

export const REUSED = 'an action that moves money is recorded once, and one with this identity was recorded before';

/** @throws {ServiceError} IDENTITY_REUSED if an identity that is written was taken before */
export async function takingIdentities(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (brokenConstraint(error) !== 'action_identity') throw error;
    throw new ServiceError('IDENTITY_REUSED', REUSED, { cause: error });
  }
}
