import type { OperationRequest, OperationResponse } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import type { CallContext } from '../../platform/grpc/grpc-server.ts';
import type { KeyRole } from '../../store/key-roles.ts';
import { guard, type Prepared } from '../mutations/guard.ts';
import type { Caller } from '../tenants/keys.ts';
import { assertRole, readCaller, readIdempotencyKey } from '../tenants/requests.ts';
import type { OperationDeps } from './operation.ts';

/** A call of an operation, after its request was read. */
export interface Call<Input> {
  readonly caller: Caller;
  readonly input: Input;
  readonly context: CallContext;
}

/** The parts of a response that an operation answers. */
export type TextAnswer = Pick<OperationResponse, 'answer' | 'replayed'>;
export type StoredBytes = Pick<OperationResponse, 'content' | 'mediaType'>;

/** Performs an operation. `Deps` are those that it uses. @throws {ServiceError} */
type Operation<Deps> = (deps: Deps, request: OperationRequest, context: CallContext) => Promise<TextAnswer>;

/** An operation that any key of the tenant may call, and that stores nothing. It answers a text. */
export function defineRead<Input, Deps>(
  readInput: (request: OperationRequest) => Input,
  answer: (deps: Deps, call: Call<Input>) => Promise<string>,
): Operation<Deps> {
  return async (deps, request, context) => {
    const caller = readCaller(request.caller);
    return { answer: await answer(deps, { caller, input: readInput(request), context }), replayed: false };
  };
}

/** An operation that needs no key. */
export function definePublic<Deps>(
  answer: (deps: Deps, request: OperationRequest) => Promise<string>,
): Operation<Deps> {
  return async (deps, request) => ({ answer: await answer(deps, request), replayed: false });
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
  readonly prepare: (deps: OperationDeps, call: Call<Input>) => Promise<Prepared>;
}

/** An operation that is applied once per idempotency key. */
export function defineWrite<Input>(definition: WriteDefinition<Input>): Operation<OperationDeps> {
  const { operation, role, notAllowed, idempotencyKey: need, readInput, prepare } = definition;
  return async (deps, request, context) => {
    const caller = readCaller(request.caller);
    assertRole(caller, role, notAllowed);
    const idempotencyKey = readIdempotencyKey(request.idempotencyKey, need);
    const input = readInput(request);
    return guard(deps.database, { caller, operation, idempotencyKey, request: input }, () =>
      prepare(deps, { caller, input, context }),
    );
  };
}
