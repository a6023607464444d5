import { CommandError } from '../../../terminal/command.ts';
import { type Loose, listOf, looseOf, type Members, membersOf, resolve, type Source } from './source-tool.ts';

/** Of OpenAPI 3.0 and 3.1, in the order of the specification. */
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i;

/** One tool for each operation of an OpenAPI document. @throws {CommandError} if its version is not 3 */
export function openApiTools(document: unknown): Source {
  const { openapi, info, paths } = looseOf(document);
  if (typeof openapi !== 'string' || !openapi.startsWith('3.')) {
    throw new CommandError('this is not an OpenAPI 3 document: it has no "openapi": "3.…"');
  }
  const tools = Object.entries(looseOf(paths)).flatMap(([path, at]) => {
    const item = resolve(at, document);
    return METHODS.filter((method) => item[method] !== undefined).map((method) => {
      const { operationId, summary, description, parameters, requestBody, responses } = looseOf(item[method]);
      const name = typeof operationId === 'string' ? operationId : `${method}${path}`;
      const body = requestBody === undefined ? { members: [] } : jsonOf(requestBody, document);
      // Those of the operation come first: they replace those of the path.
      const fields = [...listOf(parameters), ...listOf(item['parameters'])].map((each) => fieldOf(each, document));
      return {
        // Agents have names of their own for operations, so this one needs only to be possible.
        name: name.replaceAll(/[^A-Za-z0-9_.:-]+/g, '_').replaceAll(/^_+|_+$/g, ''),
        about: summary ?? description,
        claims: `${method.toUpperCase()} ${path}`,
        args: { ...body, members: [...fields, ...body.members] },
        responds: jsonOf(looseOf(responses)['200'] ?? looseOf(responses)['201'], document),
      };
    });
  });
  return { version: looseOf(info)['version'], tools };
}

function fieldOf(parameter: unknown, document: unknown) {
  const { name, required, schema, description } = resolve(parameter, document);
  const type: Loose = { ...resolve(schema, document), ...(description === undefined ? {} : { description }) };
  return { name: typeof name === 'string' ? name : '', schema: type, isRequired: required === true, root: document };
}

/** The members of the JSON body of a request or a response. */
function jsonOf(at: unknown, document: unknown): Members {
  const content = looseOf(resolve(at, document)['content']);
  const json = Object.keys(content).find((type) => JSON_TYPE.test(type));
  return membersOf(json === undefined ? undefined : looseOf(content[json])['schema'], document);
}
