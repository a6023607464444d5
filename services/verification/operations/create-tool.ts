import type { CallContext } from '../../platform/grpc/grpc-server.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { keepTool } from '../catalogue/keep-tool.ts';
import { readTool } from '../catalogue/tool-document.ts';
import { type GuardedAnswer, type OperationDeps, solverOptions } from '../context/operation.ts';
import { CreateToolArguments } from '../contract/catalogue.ts';
import { assertRole, at, createArgumentsReader, readCaller } from '../requests/requests.ts';
import { type GuardedRequest, guard, optionalKey } from './guarded.ts';
import { toToolAnswer } from './read-tools.ts';

const readArguments = createArgumentsReader(CreateToolArguments);

/**
 * Stores a description of a tool for the tenant, permanently. Storing the same description again changes nothing.
 * @throws {ServiceError} ROLE_NOT_ALLOWED, INVALID_JSON, MALFORMED_INPUT, TOOL_EXISTS, TOO_MANY_TOOLS,
 *   TOOL_NAME_CONFUSABLE, EFFECT_UNDERSTATED, IDENTITY_MISPLACED
 */
export async function createTool(
  deps: OperationDeps,
  request: GuardedRequest,
  context: CallContext,
): Promise<GuardedAnswer> {
  const caller = readCaller(request.caller);
  assertRole(caller, 'approver');
  const input = readArguments(request.arguments);
  const idempotencyKey = optionalKey(request.idempotencyKey);
  return guard(deps, { caller, operation: 'create_tool', idempotencyKey, request: input }, async () => {
    const text = readTool(input.tool, '/tool');
    const { fault } = await deps.solver.checkTool({ tool: text.document }, solverOptions(caller, context));
    if (fault !== undefined) {
      throw new ServiceError('MALFORMED_INPUT', at(`/tool${fault.path}`, `${fault.message} (${fault.code})`));
    }
    const owner = { tenantId: caller.tenantId, keyId: caller.keyId };
    return {
      apply: async (transaction) => {
        const kept = await keepTool(transaction, text, { owner, list: deps.toolList, path: '/tool' });
        return toToolAnswer(transaction, kept);
      },
    };
  });
}
