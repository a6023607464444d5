import type { OperationRequest, OperationResponse } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import type { CallContext } from '../../platform/grpc/grpc-server.ts';
import type { KeyRole } from '../../store/key-roles.ts';
import { guard, type Prepared } from '../mutations/guard.ts';
import type { SolverOptions } from '../solver/solver.ts';
import type { Caller } from '../tenants/keys.ts';
import { assertRole, readCaller, readIdempotencyKey } from '../tenants/requests.ts';
import { inTenant, type TenantTransaction } from '../tenants/transaction.ts';
import type { OperationDeps } from './operation.ts';

/** A call of an operation, after its request was read. */
export interface Call<Input> {
  readonly caller: Caller;
  readonly input: Input;
  readonly context: CallContext;
  /** For the caller's questions to the solver. */
  readonly options: SolverOptions;
  /** Runs `work` in a transaction that sees and writes only rows of the caller's tenant. */
  readonly inTenant: <Result>(work: (transaction: TenantTransaction) => Promise<Result>) => Promise<Result>;
}

function openCall<Input>(
  { database }: OperationDeps,
  { caller, input, context }: Pick<Call<Input>, 'caller' | 'input' | 'context'>,
): Call<Input> {
  const { tenantId } = caller;
  const options = { tenant: tenantId, signal: context.signal, deadlineMs: context.deadlineMs };
  return { caller, input, context, options, inTenant: (work) => inTenant(database, tenantId, work) };
}

/** The parts of a response that an operation answers. */
export type TextAnswer = Pick<OperationResponse, 'answer' | 'replayed'>;
export type StoredBytes = Pick<OperationResponse, 'content' | 'mediaType'>;

/** Performs an operation. @throws {ServiceError} */
type Operation = (deps: OperationDeps, request: OperationRequest, context: CallContext) => Promise<TextAnswer>;

/** An operation that any key of the tenant may call, and that stores nothing. It answers a text. */
export function defineRead<Input>(
  readInput: (request: OperationRequest) => Input,
  answer: (call: Call<Input>, deps: OperationDeps) => Promise<string>,
): Operation {
  return async (deps, request, context) => {
    const caller = readCaller(request.caller);
    const call = openCall(deps, { caller, input: readInput(request), context });
    return { answer: await answer(call, deps), replayed: false };
  };
}

/** An operation that needs no key. */
export function definePublic<Deps>(answer: (deps: Deps, request: OperationRequest) => Promise<string>) {
  return async (deps: Deps, request: OperationRequest): Promise<TextAnswer> => ({
    answer: await answer(deps, request),
    replayed: false,
  });
}

interface WriteDefinition<Input> {
  /** The name of the operation stored with its idempotency key. */
  readonly operation: string;
  readonly role: KeyRole;
  /** The error for a key of another role, in place of ROLE_NOT_ALLOWED. */
  readonly notAllowed?: () => Error;
  readonly idempotencyKey: 'required' | 'optional';
  /** Reads the arguments and the ids of the path. An idempotency key stands for all of them. */
  readonly readInput: (request: OperationRequest) => Input;
  readonly prepare: (call: Call<Input>, deps: OperationDeps) => Promise<Prepared>;
}

/** An operation that is applied once per idempotency key. */
export function defineWrite<Input>(definition: WriteDefinition<Input>): Operation {
  const { operation, role, notAllowed, idempotencyKey: need, readInput, prepare } = definition;
  return async (deps, request, context) => {
    const caller = readCaller(request.caller);
    assertRole(caller, role, notAllowed);
    const idempotencyKey = readIdempotencyKey(request.idempotencyKey, need);
    const input = readInput(request);
    return guard(deps.database, { caller, operation, idempotencyKey, request: input }, () =>
      prepare(openCall(deps, { caller, input, context }), deps),
    );
  };
}
