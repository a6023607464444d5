import {
  JudgeRunRequest_Check as Check,
  type JudgeRunRequest,
} from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import type { CheckName } from '../../../workers/solver/tasks.ts';
import type { CallContext } from '../../shared/grpc-server.ts';
import { ServiceError } from '../../shared/service-error.ts';
import { at } from '../requests.ts';
import { toVerdict } from '../solver/pins.ts';
import { type Answer, type OperationDeps, toText } from './operation.ts';

const CHECKS: ReadonlyMap<Check, CheckName> = new Map([
  [Check.CHECK_PLAN_ALIGNMENT, 'plan_alignment'],
  [Check.CHECK_CONSTRAINTS, 'constraints'],
]);

/** Judges a run that is kept nowhere. @throws {ServiceError} INVALID_ARGUMENT, MALFORMED_INPUT */
export async function judgeRun(
  { judge }: Pick<OperationDeps, 'judge'>,
  request: JudgeRunRequest,
  { signal, deadlineMs }: CallContext,
): Promise<Answer> {
  const check = CHECKS.get(request.check);
  if (check === undefined) throw new ServiceError('INVALID_ARGUMENT', 'check is missing');
  const { plan, sheets, actions, tenantId: tenant } = request;
  const { fault, judgement } = await judge.checkRun({ check, plan, sheets, actions }, { tenant, signal, deadlineMs });
  if (fault !== undefined) throw new ServiceError('MALFORMED_INPUT', at(fault.path, fault.message));
  return { answer: toText(toVerdict(judgement)) };
}
