import type { CallToolResult } from '@modelcontextprotocol/server';
import type { TSchema } from 'typebox';
import type { Caller } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import type { ToolName } from '../../../services/verification/contract/tools.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Metrics } from '../../http/metrics.ts';
import type { Endpoint, EndpointRequest, EndpointResponse } from '../../verified/endpoint.ts';
import { listed, outline } from '../listed-schema.ts';
import { type ObjectSchema, type Remedies, type Tool, type ToolHints, toToolResult } from '../tool.ts';

/** A tool that does what an endpoint does. Its arguments are the parameters of the path, the key and the body. */
export interface VerifiedTool {
  readonly name: ToolName;
  /** Title, arguments, answer and hints come from it. */
  readonly endpoint: Endpoint;
  /** When to use the tool, and with which role. */
  readonly use: string;
  /** What the answer means. */
  readonly answers: string;
  readonly example: Readonly<Record<string, unknown>>;
  /** Descriptions of arguments, in place of those of the endpoint's schema. */
  readonly args?: Readonly<Record<string, string>>;
  /** A tool with the same arguments, whose descriptions of them are not listed again. */
  readonly argumentsLike?: ToolName;
  /** Whether the example is listed: if the schema alone does not show how a call looks. */
  readonly listsExample?: boolean;
  /** The schema of the body, in place of the endpoint's. */
  readonly body?: TSchema;
  /** The argument whose text is the body, if the endpoint's body is not JSON. */
  readonly textArgument?: string;
  /** Remedies for this tool, in place of those in the table of error codes. */
  readonly remedies?: Remedies;
  /** Whether the tool changes the state of records that exist. */
  readonly isDestructive?: boolean;
  /** Whether the tool reaches systems outside of this service. */
  readonly isOpenWorld?: boolean;
}

const KEY = {
  required: 'New for every write; the same to repeat it.',
  optional: 'New for every write; optional.',
} as const;

/** Who calls, and in which request. */
export interface VerifiedContext {
  readonly caller: Caller;
  readonly requestId: string;
}

export interface VerifiedToolDeps {
  readonly clients: EndpointRequest['clients'];
  readonly countVerdict: Metrics['countVerdict'];
}

export function toTool(tool: VerifiedTool, { clients, countVerdict }: VerifiedToolDeps): Tool<VerifiedContext> {
  const { name, endpoint, use, answers, remedies } = tool;
  return {
    name,
    title: endpoint.summary,
    description: `${use}\nReturns ${answers}`,
    inputSchema: inputSchemaOf(tool),
    outputSchema: outline(endpoint.answer.schema),
    annotations: hintsOf(tool),
    ...(remedies === undefined ? {} : { remedies }),
    async call({ args, context: { caller, requestId } }) {
      const response = await endpoint.call({
        ...split(tool, args),
        caller,
        wantsJob: false,
        wantsMarkdown: false,
        clients,
        settings: { requestId, timeoutMs: endpoint.timeoutMs },
      });
      for (const [check, verdict] of Object.entries(response.verdicts)) countVerdict(check, verdict);
      return toResult(response);
    },
  };
}

function hintsOf({ endpoint, isDestructive = false, isOpenWorld = false }: VerifiedTool): ToolHints {
  if (endpoint.idempotencyKey === undefined) return { readOnlyHint: true, openWorldHint: isOpenWorld };
  return {
    readOnlyHint: false,
    destructiveHint: isDestructive,
    // A write whose key is optional is applied each time that it is sent without one.
    idempotentHint: endpoint.idempotencyKey === 'required',
    openWorldHint: isOpenWorld,
  };
}

interface ObjectLike {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly ObjectLike[];
}

/** The schema of a tool's arguments. Many models are not offered a tool whose schema has a union at its root. */
function inputSchemaOf({
  endpoint,
  body: ownBody,
  args,
  argumentsLike,
  listsExample = false,
  example,
}: VerifiedTool): ObjectSchema {
  const { idempotencyKey } = endpoint;
  const body: ObjectLike = ownBody ?? endpoint.request?.schema ?? {};
  const forms = body.anyOf ?? [body];
  const ids = idsOf(endpoint);
  const known = new Map<string, object>([
    ...ids.map((name) => [name, { type: 'string' }] as const),
    ...forms.flatMap(({ properties }) => Object.entries(properties ?? {})),
    ...(idempotencyKey === undefined
      ? []
      : [['idempotency_key', { type: 'string', description: KEY[idempotencyKey] }] as const]),
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(
      Array.from(known, ([name, schema]) => {
        const { description, ...structure } = listed(schema);
        return [
          name,
          argumentsLike === undefined
            ? { ...structure, description: args?.[name] ?? description }
            : { type: structure['type'] },
        ];
      }),
    ),
    ...requireOneOf(forms, [...ids, ...(idempotencyKey === 'required' ? ['idempotency_key'] : [])]),
    additionalProperties: false,
    ...(listsExample ? { examples: [example] } : {}),
  };
}

/**
 * Requires `common` arguments and those of a body. If that has several forms, the first argument that each requires tells
 * them apart: one of these is required, and it requires the others of its form.
 */
function requireOneOf(forms: readonly ObjectLike[], common: readonly string[]): object {
  const required = forms.map((form) => form.required ?? []);
  if (required.length === 1) return { required: [...common, ...required.flat()] };
  const dependent = required.flatMap(([first, ...others]) =>
    first === undefined || others.length === 0 ? [] : [[first, others] as const],
  );
  return {
    required: common,
    ...requireFirst(required.map(([first]) => defined(first))),
    ...(dependent.length === 0 ? {} : { dependentRequired: Object.fromEntries(dependent) }),
  };
}

/** Requires one of these arguments, without a union. */
function requireFirst([name, ...others]: readonly string[]): object {
  return others.length === 0 ? { required: [name] } : { if: { required: [name] }, else: requireFirst(others) };
}

/** Names of the parameters in an endpoint's path. */
const idsOf = ({ path }: Endpoint): readonly string[] => [...path.matchAll(/(?<=\{)\w+(?=\})/g)].map(([name]) => name);

/** Splits arguments into parameters of the path, idempotency key and body. The service checks the body. */
function split({ endpoint, textArgument }: VerifiedTool, args: Readonly<Record<string, unknown>>) {
  const body = { ...args };
  const take = (name: string): string | undefined => {
    const value = body[name];
    delete body[name];
    if (value === undefined || typeof value === 'string') return value;
    throw malformed(name, 'must be string');
  };
  const params = idsOf(endpoint).map((name) => {
    const id = take(name);
    if (id === undefined) throw malformed(name, 'is required');
    return [name, id] as const;
  });
  // Protobuf writes an absent string as an empty one.
  const idempotencyKey = (endpoint.idempotencyKey === undefined ? undefined : take('idempotency_key')) ?? '';
  const text = textArgument === undefined ? undefined : take(textArgument);
  if (textArgument !== undefined && text === undefined) throw malformed(textArgument, 'is required');
  const [unknown] = Object.keys(body);
  if ((endpoint.request === undefined || text !== undefined) && unknown !== undefined)
    throw malformed(unknown, 'is not a known property');
  return { params: Object.fromEntries(params), idempotencyKey, body: text ?? JSON.stringify(body) };
}

function malformed(name: string, message: string): AppError {
  return new AppError('MALFORMED_INPUT', `/${name.slice(0, 64)}: ${message}`);
}

function toResult({ body, headers }: EndpointResponse): CallToolResult {
  const result = toToolResult(body.toString());
  if (headers['idempotency-replayed'] === undefined) return result;
  return { ...result, _meta: { 'idempotency-replayed': true } };
}
