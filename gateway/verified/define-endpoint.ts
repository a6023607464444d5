import type { Static, TSchema } from 'typebox';
import type { Asked, Operation, Answer as ServiceAnswer } from '../../services/verification/contract/client.ts';
import type { ApiPath, Endpoint, EndpointRequest, EndpointResponse, EndpointText } from './endpoint.ts';

export const READ_TIMEOUT_MS = 10_000;
/** Long enough for several calls of the solver. */
export const SOLVER_TIMEOUT_MS = 25_000;

/** A number of a query. The service refuses a text that should be one. */
export const toNumber = (text: string): number | string => (/^(?:0|[1-9][0-9]{0,8})$/.test(text) ? Number(text) : text);

/** The query of a list as arguments. */
export const toListArguments = ({ limit, ...others }: EndpointRequest['params']): string =>
  JSON.stringify({ ...others, ...(limit === undefined ? {} : { limit: toNumber(limit) }) });

/** What the endpoints of lists have in common. */
export const LIST = {
  description:
    'Newest first, page by page. A page may be short or empty although more follow: continue until `next_cursor` is null. Any role.',
  failures: { 422: 'A query parameter is invalid: the message begins with a JSON pointer' },
} as const;

const JSON_TYPE = 'application/json; charset=utf-8';

/** A request as the definition of an endpoint sees it. */
export interface EndpointCall extends EndpointRequest {
  /** Has the verification service perform an operation, for this caller. @throws {AppError} */
  readonly ask: (operation: Operation, request: Omit<Asked, 'caller'>) => Promise<ServiceAnswer>;
}

/** What an endpoint answers: a value of its schema, or the bytes of one. */
type Answer<Value> = Partial<Omit<EndpointResponse, 'body'>> &
  (
    | { readonly value: Value }
    /** The body as the service wrote it. The gateway neither parses nor checks it. */
    | { readonly serialized: string | Buffer }
  );

interface Described<Schema extends TSchema> {
  readonly schema: Schema;
  readonly example: Static<Schema>;
  /** Media type, if the body is not JSON. */
  readonly type?: string;
  readonly isMarkdownToo?: boolean;
}

interface Definition<Schema extends TSchema> extends EndpointText {
  readonly method: Endpoint['method'];
  readonly path: ApiPath;
  readonly status: Endpoint['status'];
  readonly answer: Described<Schema>;
  /** @throws {AppError} */
  readonly call: (call: EndpointCall) => Promise<Answer<Static<Schema>>>;
}

export function defineEndpoint<Schema extends TSchema>(definition: Definition<Schema>): Endpoint {
  const { call, ...described } = definition;
  return {
    ...described,
    async call(request) {
      const { caller, clients, settings } = request;
      const answer = await call({
        ...request,
        ask: (operation, asked) => clients.verification.ask(operation, { ...asked, caller }, settings),
      });
      const {
        status = described.status,
        headers = {},
        type = described.answer.type ?? JSON_TYPE,
        verdicts = {},
      } = answer;
      const body = 'value' in answer ? JSON.stringify(answer.value) : answer.serialized;
      return { status, headers, type, verdicts, body };
    },
  };
}

type ReadDefinition<Schema extends TSchema> = Omit<Definition<Schema>, 'method' | 'status' | 'timeoutMs' | 'call'> & {
  /** POST if the operation has a body; GET by default. */
  readonly method?: 'POST';
  readonly timeoutMs?: number;
  /** The operation of the service. It gets the parameters and the body. */
  readonly operation: Operation;
  /** Makes the arguments of the operation from the query. */
  readonly queryArguments?: (query: EndpointRequest['params']) => string;
};

/** A read whose answer the service has serialized. */
export function readEndpoint<Schema extends TSchema>({
  operation,
  queryArguments,
  ...definition
}: ReadDefinition<Schema>): Endpoint {
  return defineEndpoint({
    method: 'GET',
    timeoutMs: READ_TIMEOUT_MS,
    ...definition,
    status: 200,
    async call({ ask, params, body }) {
      const asked = queryArguments === undefined ? { params, arguments: body } : { arguments: queryArguments(params) };
      return { serialized: (await ask(operation, asked)).answer };
    },
  });
}

type WriteDefinition<Schema extends TSchema> = Omit<Definition<Schema>, 'method' | 'call' | 'request'> & {
  readonly idempotencyKey: 'required' | 'optional';
  readonly request: NonNullable<EndpointText['request']>;
  readonly operation: Operation;
  /** Verdicts in the text of a new answer, by check. */
  readonly verdictsOf?: (answer: string) => Readonly<Record<string, string>>;
};

/** A POST that the service applies once per idempotency key. A repeated request gets the first answer again. */
export function writeEndpoint<Schema extends TSchema>({
  operation,
  verdictsOf,
  ...definition
}: WriteDefinition<Schema>): Endpoint {
  return defineEndpoint({
    ...definition,
    method: 'POST',
    async call({ ask, params, idempotencyKey, body }) {
      const sent = definition.request.type === undefined ? { arguments: body } : { content: Buffer.from(body) };
      const { answer, replayed } = await ask(operation, { params, idempotencyKey, ...sent });
      if (replayed) return { serialized: answer, headers: { 'idempotency-replayed': 'true' } };
      return { serialized: answer, verdicts: verdictsOf?.(answer) ?? {} };
    },
  });
}
