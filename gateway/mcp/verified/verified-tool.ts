import type { CallToolResult } from '@modelcontextprotocol/server';
import type { TSchema } from 'typebox';
import type { Caller } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { IDEMPOTENCY_KEY } from '../../../services/verification/contract/arguments.ts';
import type { ToolName } from '../../../services/verification/contract/tools.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Metrics } from '../../http/metrics.ts';
import type { Endpoint, EndpointAnswer, EndpointCall } from '../../verified/endpoint.ts';
import { type ObjectSchema, type Remedies, type Tool, type ToolHints, toToolResult } from '../tool.ts';

/** A tool that does what an endpoint does: ids of its path, its key and its body are arguments. */
export interface VerifiedTool {
  readonly name: ToolName;
  readonly title: string;
  readonly endpoint: Endpoint;
  /** When to use it, and by whom. */
  readonly use: string;
  /** What each argument is. */
  readonly args: Readonly<Record<string, string>>;
  readonly example: Readonly<Record<string, unknown>>;
  /** What to look at in its answer. */
  readonly answers: string;
  /** What can go wrong, and what to do then. */
  readonly remedies: Remedies;
  readonly hints: ToolHints;
  /** More to say, before the example. */
  readonly guide?: string;
}

export const READS: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Adds records, and changes none; again only once under a key. */
export const ADDS: ToolHints = { ...READS, readOnlyHint: false };

export const KEY = {
  required: 'Of your choice, new for every write (such as a UUID); the same again only to repeat the same request.',
  optional: 'Of your choice; send one to be able to repeat the request without its being applied twice.',
} as const;

/** Who calls, and for which request. */
export interface VerifiedContext {
  readonly caller: Caller;
  readonly requestId: string;
}

export interface VerifiedToolDeps {
  readonly clients: EndpointCall['clients'];
  readonly countVerdict: Metrics['countVerdict'];
}

export function toTool(tool: VerifiedTool, { clients, countVerdict }: VerifiedToolDeps): Tool<VerifiedContext> {
  const { name, title, endpoint, hints, remedies } = tool;
  return {
    name,
    title,
    description: describeTool(tool),
    inputSchema: inputSchemaOf(tool),
    outputSchema: { ...endpoint.answer.schema, type: 'object', examples: [endpoint.answer.example] },
    annotations: hints,
    remedies,
    async call({ args, context: { caller, requestId } }) {
      const answer = await endpoint.call({
        ...split(endpoint, args),
        caller,
        wantsJob: false,
        clients,
        settings: { requestId, timeoutMs: endpoint.timeoutMs },
      });
      for (const [check, verdict] of Object.entries(answer.verdicts ?? {})) countVerdict(check, verdict);
      return toResult(answer);
    },
  };
}

function describeTool({ use, args, guide, example, answers, remedies }: VerifiedTool): string {
  const described = Object.entries(args).map(([name, text]) => `- ${name}: ${text}`);
  const failures = Object.entries(remedies).map(([code, remedy]) => `- ${code}: ${remedy}`);
  return [
    use,
    ...(described.length === 0 ? ['No arguments.'] : ['Arguments:', ...described]),
    `Answers: ${answers}`,
    ...(failures.length === 0 ? [] : ['When it is refused:', ...failures]),
    ...(guide === undefined ? [] : [guide]),
    `Example: ${JSON.stringify(example)}`,
  ].join('\n');
}

interface ObjectLike {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly ObjectLike[];
}

/** Of alternatives, what they have in common is required: which go together the description says, and the service. */
function inputSchemaOf({ endpoint, args, example }: VerifiedTool): ObjectSchema {
  const body: ObjectLike = endpoint.request?.schema ?? {};
  const forms = body.anyOf ?? [body];
  const known: Record<string, object> = Object.assign(
    {},
    ...idsOf(endpoint).map((name) => ({ [name]: { type: 'string' } })),
    ...forms.map(({ properties }) => properties),
    endpoint.idempotencyKey === undefined ? {} : { idempotency_key: { type: 'string', pattern: IDEMPOTENCY_KEY } },
  );
  const required = Object.keys(known).filter(
    (name) =>
      idsOf(endpoint).includes(name) ||
      (name === 'idempotency_key' && endpoint.idempotencyKey === 'required') ||
      forms.every((form) => form.required?.includes(name)),
  );
  const properties = Object.fromEntries(
    Object.entries(known).map(([name, schema]) => [name, { ...schema, description: args[name] }]),
  );
  return { type: 'object', properties, required, additionalProperties: false, examples: [example] };
}

/** Names of the ids in an endpoint's path. */
const idsOf = ({ path }: Endpoint): readonly string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** The arguments as the endpoint takes them; what is no id and no key is for the service to judge. */
function split(endpoint: Endpoint, args: Readonly<Record<string, unknown>>) {
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
  const idempotencyKey = (endpoint.idempotencyKey === undefined ? undefined : take('idempotency_key')) ?? '';
  const [unknown] = Object.keys(body);
  if (endpoint.request === undefined && unknown !== undefined) throw malformed(unknown, 'is not a known property');
  return { params: Object.fromEntries(params), idempotencyKey, body: JSON.stringify(body) };
}

function malformed(name: string, message: string): AppError {
  return new AppError('MALFORMED_INPUT', `/${name.slice(0, 64)}: ${message}`);
}

function toResult({ body, headers = {} }: EndpointAnswer): CallToolResult {
  const result = toToolResult(body.toString());
  if (headers['idempotency-replayed'] === undefined) return result;
  return { ...result, _meta: { 'idempotency-replayed': true } };
}
