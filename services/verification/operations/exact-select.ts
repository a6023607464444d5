import { canonicalText } from '../../../workers/exact/canonical-json.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { SelectArguments } from '../contract/select.ts';
import { at, createArgumentsReader } from '../tenants/requests.ts';
import { defineRead } from './define.ts';
import { type OperationDeps, solverOptions } from './operation.ts';

/**
 * Selects the best items exactly. Any key may ask, and nothing is stored.
 * @throws {ServiceError} INVALID_JSON, MALFORMED_INPUT
 */
export const exactSelect = defineRead(
  createArgumentsReader(SelectArguments),
  async ({ solver }: Pick<OperationDeps, 'solver'>, { caller, input, context }) => {
    const answer = await solver.select({ selection: canonicalText(input) }, solverOptions(caller, context));
    if (answer.fault === undefined) return canonicalText(answer.selection);
    throw new ServiceError('MALFORMED_INPUT', at(answer.fault.path, answer.fault.message));
  },
);
