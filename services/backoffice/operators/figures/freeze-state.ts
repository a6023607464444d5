import type { CallFreezeState } from '../../../../proto/gen/tollhouse/backoffice/v1/operator.ts';
import type { CallFreeze } from '../../../store/call-freeze.ts';

export const toFreezeState = ({ isFrozen, changed }: CallFreeze): CallFreezeState => ({
  frozen: isFrozen,
  operator: changed?.operator ?? '',
  reason: changed?.reason ?? '',
  changedAtMs: BigInt(changed?.at.getTime() ?? 0),
});
