import type { ExactSelectRequest } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import type { CallContext } from '../../platform/grpc/grpc-server.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { type Answer, type OperationDeps, solverOptions, toText } from '../context/operation.ts';
import { SelectArguments } from '../contract/select.ts';
import { at, createArgumentsReader, readCaller } from '../requests/requests.ts';

const readArguments = createArgumentsReader(SelectArguments);

/**
 * Selects the best items exactly. Any key may ask, and nothing is stored.
 * @throws {ServiceError} INVALID_JSON, MALFORMED_INPUT
 */
export async function exactSelect(
  { solver }: Pick<OperationDeps, 'solver'>,
  request: ExactSelectRequest,
  context: CallContext,
): Promise<Answer> {
  const caller = readCaller(request.caller);
  const selection = toText(readArguments(request.arguments));
  const answer = await solver.select({ selection }, solverOptions(caller, context));
  if (answer.fault === undefined) return { answer: toText(answer.selection) };
  throw new ServiceError('MALFORMED_INPUT', at(answer.fault.path, answer.fault.message));
}
