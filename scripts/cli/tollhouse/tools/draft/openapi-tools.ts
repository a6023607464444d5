import { CommandError } from '../../../terminal/command.ts';
import {
  type Loose,
  listOf,
  looseOf,
  type Member,
  type Members,
  membersOf,
  resolve,
  type Source,
  type SourceTool,
} from './source-tool.ts';

/** Of OpenAPI 3.0 and 3.1, in the order of the specification. */
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i;

/** One tool for each operation of an OpenAPI document. @throws {CommandError} if it is none of version 3 */
export function openApiTools(document: unknown): Source {
  const { openapi, info, paths } = looseOf(document);
  if (typeof openapi !== 'string' || !openapi.startsWith('3.')) {
    throw new CommandError('this is not an OpenAPI 3 document: it has no "openapi": "3.…"');
  }
  const tools = Object.entries(looseOf(paths)).flatMap(([path, at]) => {
    const item = resolve(at, document);
    return METHODS.filter((method) => item[method] !== undefined).map((method) =>
      toolOf({ method, path, item, operation: looseOf(item[method]) }, document),
    );
  });
  return { title: looseOf(info)['title'], version: looseOf(info)['version'], tools };
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly item: Loose;
  readonly operation: Loose;
}

function toolOf({ method, path, item, operation }: Operation, document: unknown): SourceTool {
  const { operationId, summary, description, requestBody, responses } = operation;
  const parameters = [item['parameters'], operation['parameters']].flatMap(listOf);
  const byPlace = new Map(
    parameters.map((each) => {
      const parameter = resolve(each, document);
      return [`${parameter['in']} ${parameter['name']}`, parameter] as const;
    }),
  );
  const body = requestBody === undefined ? undefined : jsonOf(requestBody, document);
  const ok = looseOf(responses)['200'] ?? looseOf(responses)['201'];
  return {
    name: typeof operationId === 'string' ? named(operationId) : named(`${method}${path}`),
    about: summary ?? description,
    claims: `${method.toUpperCase()} ${path}`,
    args: {
      members: [...[...byPlace.values()].map((each) => memberOf(each, document)), ...(body?.members ?? [])],
      lost: body?.lost ?? [],
    },
    responds: ok === undefined ? undefined : jsonOf(ok, document),
  };
}

/** Agents give an operation a name of their own, so this one needs only to be possible. */
const named = (text: string): string => text.replaceAll(/[^A-Za-z0-9_.:-]+/g, '_').replaceAll(/^_+|_+$/g, '');

const memberOf = ({ name, required, schema, description }: Loose, document: unknown): Member => ({
  name: String(name),
  schema: { ...(description === undefined ? {} : { description }), ...resolve(schema, document) },
  isRequired: required === true,
});

/** The members of the JSON body of a request or a response. */
function jsonOf(at: unknown, document: unknown): Members {
  const content = looseOf(resolve(at, document)['content']);
  const json = Object.keys(content).find((type) => JSON_TYPE.test(type));
  if (json === undefined) return { members: [], lost: ['a body that is not JSON'] };
  return membersOf(looseOf(content[json])['schema'], document);
}
