import { valueAt } from '../../../workers/solver/run/json-pointer.ts';
import { ServiceError } from '../../shared/service-error.ts';
import { at } from '../requests.ts';
import type { ToolList } from '../tools/tool-list.ts';
import type { RecordedAction } from './record-hashes.ts';

/** What tells one act that moves money from another. */
export interface ActIdentity {
  readonly action: RecordedAction;
  /** Of the action among those of its execution. */
  readonly seq: number;
  /** The value of the field that the plan names. */
  readonly planned: string;
}

/**
 * The identity of an act: the value where the operator's list says, whatever field the plan names. A plan may be older
 * than the list.
 * @throws {ServiceError} MALFORMED_INPUT where the response has none there
 */
export function actIdentity({ action, seq, planned }: ActIdentity, list: ToolList): string {
  const pinned = list.identityAt(action.tool);
  if (pinned === undefined) return planned;
  const value = valueAt(action.response, pinned);
  if (typeof value === 'string' && value !== '') return value;
  if (Number.isSafeInteger(value)) return String(value);
  const message = 'must be a string or an integer: the identity of the act';
  throw new ServiceError('MALFORMED_INPUT', at(`/actions/${seq}/response${pinned}`, message));
}
