import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import type {
  Caller as CallerMessage,
  OperationRequest,
} from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { shapeFault } from '../../../workers/exact/shape-fault.ts';
import { ARGUMENTS_JSON, parseStrictJson, StrictJsonError } from '../../../workers/exact/strict-json.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { isUuid } from '../../platform/patterns.ts';
import { KEY_ROLES, type KeyRole, SCOPES } from '../../store/key-roles.ts';
import { IDEMPOTENCY_KEY } from '../contract/arguments.ts';
import type { Caller } from './keys.ts';

const keyPattern = new RegExp(IDEMPOTENCY_KEY);

/** Reads the caller that the gateway authenticated. @throws {ServiceError} INVALID_ARGUMENT */
export function readCaller(message: CallerMessage | undefined): Caller {
  const role = message && KEY_ROLES.get(message.role);
  if (message === undefined || role === undefined || !isUuid(message.tenantId) || !isUuid(message.keyId)) {
    throw new ServiceError('INVALID_ARGUMENT', 'caller is missing or incomplete');
  }
  const scopes = SCOPES.filter((scope) => message.scopes.includes(scope));
  // A stored caller from before there were groups has none, and neither does a key that was issued without one.
  const group = message.keyGroup === '' ? message.keyId : message.keyGroup;
  return { tenantId: message.tenantId, keyId: message.keyId, role, scopes, group };
}

/** @throws {ServiceError} ROLE_NOT_ALLOWED, or the error that `notAllowed` returns */
export function assertRole({ role }: Caller, needed: KeyRole, notAllowed?: () => Error): void {
  if (role === needed) return;
  throw notAllowed?.() ?? new ServiceError('ROLE_NOT_ALLOWED', `this needs a key of role ${needed}, not ${role}`);
}

/** @throws {ServiceError} IDEMPOTENCY_KEY_REQUIRED, MALFORMED_INPUT */
export function readIdempotencyKey(key: string, need: 'required' | 'optional'): string | undefined {
  if (key === '' && need === 'optional') return undefined;
  if (key === '')
    throw new ServiceError(
      'IDEMPOTENCY_KEY_REQUIRED',
      'send the header Idempotency-Key, or as a tool the argument idempotency_key: a new text of your choice for each write',
    );
  if (!keyPattern.test(key)) {
    throw new ServiceError('MALFORMED_INPUT', 'the idempotency key must be 1 to 255 printable ASCII characters');
  }
  return key;
}

type IdName = `${'plan' | 'execution' | 'artifact' | 'verification' | 'proof' | 'reservation'}_id`;

/** Reads an id of the path. One that is missing or malformed is not found. @throws {ServiceError} NOT_FOUND */
export function readId({ params }: Pick<OperationRequest, 'params'>, name: IdName): string {
  const id = params[name];
  if (id === undefined || !isUuid(id)) throw notFound(name.replace('_id', ''));
  return id;
}

/** The error for a record that does not exist, or belongs to another tenant. */
export function notFound(what: string): ServiceError {
  return new ServiceError('NOT_FOUND', `there is no such ${what}`);
}

/** Creates a reader of a name and a version in the path. It throws ServiceError NOT_FOUND if they are malformed. */
export function createReferenceReader<Schema extends TSchema>(
  schema: Schema,
  what: string,
): (request: Pick<OperationRequest, 'params'>) => Static<Schema> {
  const compiled = Compile(schema);
  return ({ params }) => {
    // The database would refuse a NUL.
    if (!compiled.Check(params)) throw notFound(what);
    return params;
  };
}

/** For operations without arguments and parameters. */
export const noInput = (): undefined => undefined;

/** Creates a reader of the arguments of a request. It throws ServiceError INVALID_JSON or MALFORMED_INPUT. */
export function createArgumentsReader<Schema extends TSchema>(
  schema: Schema,
): (request: Pick<OperationRequest, 'arguments'>) => Static<Schema> {
  const compiled = Compile(schema);
  return (request) => {
    const value = parse(request.arguments);
    if (compiled.Check(value)) return value;
    const { path, message } = shapeFault(compiled.Errors(value)[1]);
    throw malformed(path, message);
  };
}

function parse(text: string): unknown {
  try {
    return parseStrictJson(text, ARGUMENTS_JSON);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw new ServiceError('INVALID_JSON', at(error.pointer, error.message), { cause: error });
  }
}

/** The error for arguments that break a rule at a JSON pointer. */
export const malformed = (pointer: string, message: string): ServiceError =>
  new ServiceError('MALFORMED_INPUT', at(pointer, message));

const MAX_POINTER_CHARACTERS = 128;

/** Adds a JSON pointer to a message. A pointer may be as long as the body, so only its beginning is used. */
export function at(pointer: string, message: string): string {
  return pointer === '' ? message : `${pointer.slice(0, MAX_POINTER_CHARACTERS)}: ${message}`;
}
