import {
  JudgeRunRequest_Check as Check,
  type JudgeRunRequest,
} from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { canonicalText } from '../../../workers/exact/canonical-json.ts';
import type { CheckName } from '../../../workers/verdict/run/checked.ts';
import type { CallContext } from '../../platform/grpc/grpc-server.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { digestBytes } from '../proof/digests.ts';
import { toVerdict } from '../solver/pins.ts';
import { malformed } from '../tenants/requests.ts';
import type { TextAnswer } from './define.ts';
import type { OperationDeps } from './operation.ts';

const CHECKS: ReadonlyMap<Check, CheckName> = new Map([
  [Check.CHECK_PLAN_ALIGNMENT, 'plan_alignment'],
  [Check.CHECK_CONSTRAINTS, 'constraints'],
]);

/** Checks a run without storing anything. @throws {ServiceError} INVALID_ARGUMENT, MALFORMED_INPUT */
export async function judgeRun(
  { solver }: Pick<OperationDeps, 'solver'>,
  request: JudgeRunRequest,
  { signal, deadlineMs }: CallContext,
): Promise<TextAnswer> {
  const check = CHECKS.get(request.check);
  if (check === undefined) throw new ServiceError('INVALID_ARGUMENT', 'check is missing');
  const { plan, sheets, tools, actions, tenantId: tenant } = request;
  const tables = request.tables.map((text) => ({ text, sha256: digestBytes(Buffer.from(text)) }));
  const task = { check, plan, sheets, tools, tables, actions };
  const { fault, judgement } = await solver.checkRun(task, { tenant, signal, deadlineMs });
  if (fault !== undefined) throw malformed(fault.path, fault.message);
  return { answer: canonicalText(toVerdict(judgement)), replayed: false };
}
