import type { Static, TObject } from 'typebox';
import type { OperationClients } from '../../clients/operation-clients.ts';
import { createValidator } from './validator.ts';

export interface ExecutionContext {
  readonly clients: OperationClients;
  readonly requestId: string;
  /** Longest time to take. */
  readonly timeoutMs: number;
}

export interface OperationDefinition<Request extends TObject, Response extends TObject> {
  /** kebab-case: the name of its folder, documentation page and tool. */
  readonly name: string;
  /** In the OpenAPI document: <area>_<name>. */
  readonly operationId: string;
  readonly path: `/api/v1/${string}`;
  readonly summary: string;
  readonly description: string;
  readonly priceMicroUsd: bigint;
  readonly timeoutMs: number;
  readonly request: Request;
  readonly response: Response;
  readonly requestExample: Static<Request>;
  readonly responseExample: Static<Response>;
  /** A rule over several fields: what is wrong, or undefined. */
  readonly check?: (body: Static<Request>) => string | undefined;
  /** @throws {AppError} */
  readonly execute: (body: Static<Request>, context: ExecutionContext) => Promise<Static<Response>>;
}

/** A definition as the gateway uses it: route, validation, price, documents and tools all come from it. */
export interface Operation extends Omit<OperationDefinition<TObject, TObject>, 'check' | 'execute'> {
  /** What is wrong with a body, naming field and rule, or undefined. */
  readonly validate: (body: unknown) => string | undefined;
  readonly execute: (body: unknown, context: ExecutionContext) => Promise<unknown>;
}

/** Names of tools are identifiers wherever models write code. */
export const toolNameOf = ({ name }: Pick<Operation, 'name'>): string => name.replaceAll('-', '_');

export function defineOperation<Request extends TObject, Response extends TObject>(
  definition: OperationDefinition<Request, Response>,
): Operation {
  const { check, execute, ...data } = definition;
  const findFault = createValidator(definition.request);
  return {
    ...data,
    validate: (body) => findFault(body) ?? check?.(body as Static<Request>),
    execute: (body, context) => execute(body as Static<Request>, context),
  };
}
