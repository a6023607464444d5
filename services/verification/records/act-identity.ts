import { valueAt } from '../../../workers/exact/json-pointer.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { at } from '../requests/requests.ts';
import { plannedIdentityAt, type ToolDocument, type ToolList } from '../tools/tool-list.ts';
import type { RecordedAction } from './record-hashes.ts';

/** Identities are unique by an index, whose entries cannot be long. */
export const MAX_IDENTITY_BYTES = 512;

/** An action that moves money, by its plan or by the operator's list. */
export interface MoneyAction {
  readonly action: RecordedAction;
  /** Of the action among those of its execution. */
  readonly seq: number;
  /** The tool as the plan declares it. Undefined if the plan has no such tool. */
  readonly tool: ToolDocument | undefined;
  /** The value of the field that the plan names. Undefined if the plan names none, or has no such step. */
  readonly planned: string | undefined;
}

/**
 * What tells one act that moves money from another: the value where the operator's list says, whatever field the plan
 * names. A plan may be older than the list. Only an action that is not the plan's can have no identity: it is recorded,
 * and its verification refuses it.
 * @throws {ServiceError} MALFORMED_INPUT where the response has none there, or the plan is too old to name one
 */
export function actIdentity(act: MoneyAction, list: ToolList): string | undefined {
  const { action, seq, tool, planned } = act;
  const pinned = list.identityAt(action.tool);
  const identity = pinned === undefined ? planned : readPinned(act, pinned);
  if (identity === undefined) {
    if (tool !== undefined && tool.effect !== 'revenue_write') throw tooOld(act);
    return undefined;
  }
  if (Buffer.byteLength(identity) > MAX_IDENTITY_BYTES) {
    const pointer = pinned ?? (tool && plannedIdentityAt(tool)) ?? '';
    const message = `must have at most ${MAX_IDENTITY_BYTES} bytes in UTF-8: the identity of the act`;
    throw new ServiceError('MALFORMED_INPUT', at(`/actions/${seq}/response${pointer}`, message));
  }
  return identity;
}

function readPinned({ action, seq }: MoneyAction, pinned: string): string {
  const value = valueAt(action.response, pinned);
  if (typeof value === 'string' && value !== '') return value;
  if (Number.isSafeInteger(value)) return String(value);
  const message = 'must be a string or an integer: the identity of the act';
  throw new ServiceError('MALFORMED_INPUT', at(`/actions/${seq}/response${pinned}`, message));
}

function tooOld({ action, seq }: MoneyAction): ServiceError {
  const message = `${action.tool} moves money by the operator's list of tools, and the plan names no identity of its acts: have a new plan approved`;
  return new ServiceError('MALFORMED_INPUT', at(`/actions/${seq}/tool`, message));
}
