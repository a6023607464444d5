import { type ActionDocument, reportedOutcome } from '../../../workers/exact/action-schema.ts';
import { foldText } from '../../../workers/exact/fold-text.ts';
import { valueAt } from '../../../workers/exact/json-pointer.ts';
import type { ServiceError } from '../../platform/grpc/service-error.ts';
import { type PlanTool, plannedIdentityAt } from '../catalogue/plan-tools.ts';
import type { ToolList } from '../catalogue/tool-list.ts';
import { malformed } from '../tenants/requests.ts';

/** Limit of identities: a unique index has them, and its entries cannot be long. */
export const MAX_IDENTITY_BYTES = 512;

/** An action that moves money, by its plan or by the operator's list. */
export interface MoneyAction {
  readonly action: ActionDocument;
  /** Index of the action in its execution. */
  readonly seq: number;
  /** The plan's declaration of the tool; undefined if the plan does not have the tool. */
  readonly tool: PlanTool | undefined;
  /** The value of the field that the plan names; undefined if the plan names none, or does not have the step. */
  readonly planned: string | undefined;
}

/**
 * The identity of an action that moves money. The operator's list decides where the response has it; otherwise the plan
 * does. A plan may be older than the list. Only an action that is not part of the plan can lack an identity: it is
 * recorded, and its verification fails. Identities are compared without what nobody sees: white space at the ends,
 * invisible characters, and the normalization form. The recorded response keeps them. An act without a response has none.
 * @throws {ServiceError} MALFORMED_INPUT if the response does not have it, or the plan is too old to name one
 */
export function actIdentity(act: MoneyAction, list: ToolList): string | undefined {
  const { action, seq, tool } = act;
  if (reportedOutcome(action) !== 'done') return undefined;
  const pinned = list.identityAt(action.tool, action.tool_version);
  const found = pinned === undefined ? act.planned : readPinned(act, pinned);
  if (found === undefined) {
    if (tool !== undefined && tool.effect !== 'revenue_write') throw tooOld(act);
    return undefined;
  }
  const identity = foldText(found, 'trimmed');
  if (Buffer.byteLength(identity) > MAX_IDENTITY_BYTES) {
    const planned = tool === undefined ? undefined : plannedIdentityAt(tool);
    const field = pinned ?? planned;
    // A plan may name a field without a pointer.
    const pointer = field === undefined ? '' : field;
    const message = `must have at most ${MAX_IDENTITY_BYTES} bytes in UTF-8: the identity of the act`;
    throw malformed(`/actions/${seq}/response${pointer}`, message);
  }
  return identity;
}

function readPinned({ action, seq }: MoneyAction, pinned: string): string {
  const value = valueAt(action.response, pinned);
  if (typeof value === 'string' && foldText(value, 'trimmed') !== '') return value;
  if (Number.isSafeInteger(value)) return String(value);
  const message = 'must be a string or an integer: the identity of the act';
  throw malformed(`/actions/${seq}/response${pinned}`, message);
}

function tooOld({ action, seq }: MoneyAction): ServiceError {
  const message = `${action.tool} moves money by the operator's list of tools, and the plan names no identity of its acts: have a new plan approved`;
  return malformed(`/actions/${seq}/tool`, message);
}
