import { ServiceError } from '../../platform/grpc/service-error.ts';
import { defineRead } from '../context/define.ts';
import { type OperationDeps, solverOptions, toText } from '../context/operation.ts';
import { SelectArguments } from '../contract/select.ts';
import { at, createArgumentsReader } from '../requests/requests.ts';

/**
 * Selects the best items exactly. Any key may ask, and nothing is stored.
 * @throws {ServiceError} INVALID_JSON, MALFORMED_INPUT
 */
export const exactSelect = defineRead(
  createArgumentsReader(SelectArguments),
  async ({ solver }: Pick<OperationDeps, 'solver'>, { caller, input, context }) => {
    const answer = await solver.select({ selection: toText(input) }, solverOptions(caller, context));
    if (answer.fault === undefined) return toText(answer.selection);
    throw new ServiceError('MALFORMED_INPUT', at(answer.fault.path, answer.fault.message));
  },
);
