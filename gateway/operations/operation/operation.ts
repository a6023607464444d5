import type { Static, TObject } from 'typebox';
import type { OperationClients } from '../../clients/operation-clients.ts';
import { createValidator } from './validator.ts';

export interface ExecutionContext {
  readonly clients: OperationClients;
  readonly requestId: string;
  /** Longest time for the execution. */
  readonly timeoutMs: number;
}

/**
 * A value of a schema that is a type parameter. Without `NoInfer`, the compiler would also try to infer the schema from
 * each value, which is a hundred times as much work.
 */
type ValueOf<Schema extends TObject> = NoInfer<Static<Schema>>;

export interface OperationDefinition<Request extends TObject, Response extends TObject> {
  /** In kebab-case: the name of the folder, the documentation page and, with underscores, the tool. */
  readonly name: string;
  /** Id in the OpenAPI document: <area>_<name>. */
  readonly operationId: string;
  readonly path: `/api/v1/${string}`;
  readonly summary: string;
  readonly description: string;
  readonly priceMicroUsd: bigint;
  readonly timeoutMs: number;
  readonly request: Request;
  readonly response: Response;
  readonly requestExample: ValueOf<Request>;
  readonly responseExample: ValueOf<Response>;
  /** Checks rules that the schema cannot express. Returns what is wrong, or undefined. */
  readonly check?: (body: ValueOf<Request>) => string | undefined;
  /** @throws {AppError} */
  readonly execute: (body: ValueOf<Request>, context: ExecutionContext) => Promise<ValueOf<Response> & object>;
}

/** A definition as the gateway uses it: its route, validation, price, documents and tool are derived from it. */
export interface Operation extends Omit<OperationDefinition<TObject, TObject>, 'check' | 'execute'> {
  /** What is wrong with a body, by field and rule. Undefined for a valid body. */
  readonly validate: (body: unknown) => string | undefined;
  /** Executes a valid body. The answer is a value of `response`. @throws {AppError} */
  readonly execute: (body: unknown, context: ExecutionContext) => Promise<object>;
}

/** The name of an operation's tool: an identifier, so that models can use it in code. */
export const toolNameOf = ({ name }: Pick<Operation, 'name'>): string => name.replaceAll('-', '_');

export function defineOperation<Request extends TObject, Response extends TObject>(
  definition: OperationDefinition<Request, Response>,
): Operation {
  const { check, execute, ...data } = definition;
  const { faultOf, isValid } = createValidator(definition.request);
  return {
    ...data,
    validate(body) {
      const fault = faultOf(body);
      if (fault !== undefined || check === undefined || !isValid(body)) return fault;
      return check(body);
    },
    async execute(body, context) {
      if (!isValid(body)) throw new TypeError(`${data.name} executes only valid bodies`);
      return execute(body, context);
    },
  };
}
