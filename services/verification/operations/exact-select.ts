import type { ExactSelectRequest } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import type { CallContext } from '../../platform/grpc/grpc-server.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { type Answer, judgeOptions, type OperationDeps, toText } from '../context/operation.ts';
import { SelectArguments } from '../contract/select.ts';
import { at, createArgumentsReader, readCaller } from '../requests/requests.ts';

const readArguments = createArgumentsReader(SelectArguments);

/**
 * Chooses the best of items, exactly. Any key may ask, and nothing is kept.
 * @throws {ServiceError} INVALID_JSON, MALFORMED_INPUT
 */
export async function exactSelect(
  { judge }: Pick<OperationDeps, 'judge'>,
  request: ExactSelectRequest,
  context: CallContext,
): Promise<Answer> {
  const caller = readCaller(request.caller);
  const selection = toText(readArguments(request.arguments));
  const answer = await judge.select({ selection }, judgeOptions(caller, context));
  if (answer.fault === undefined) return { answer: toText(answer.selection) };
  throw new ServiceError('MALFORMED_INPUT', at(answer.fault.path, answer.fault.message));
}
