import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { CommandError } from '../../../terminal/command.ts';
import { inOneLine } from './draft-tools.ts';
import { membersOf, type Source, type SourceTool } from './source-tool.ts';

/** Most bytes of a source, in all its answers together. */
export const MAX_SOURCE_BYTES = 10_000_000;
const MAX_PAGES = 100;

const Listed = Compile(
  Type.Array(
    Type.Object({
      name: Type.String(),
      description: Type.Optional(Type.String()),
      annotations: Type.Optional(Type.Unknown()),
      inputSchema: Type.Unknown(),
      outputSchema: Type.Optional(Type.Unknown()),
    }),
  ),
);

/** The tools of a list, of the result of `tools/list`, or of a whole answer. @throws {CommandError} */
export function listedTools(json: unknown): readonly SourceTool[] {
  const { result = json } = Object(json);
  const { tools = result } = Object(result);
  if (!Listed.Check(tools)) throw new CommandError('this is not a list of tools, each with a name and an inputSchema');
  return tools.map(({ name, description, annotations, inputSchema, outputSchema }) => ({
    name,
    about: description,
    claims: annotations,
    args: membersOf(inputSchema, inputSchema),
    responds: outputSchema === undefined ? undefined : membersOf(outputSchema, outputSchema),
  }));
}

/**
 * Asks an MCP server for its tools, over Streamable HTTP. Redirects are not followed.
 * @param limit ends the request. @throws {CommandError}
 */
export async function askForTools(url: URL, limit: AbortSignal): Promise<Source> {
  const tooLarge = new AbortController();
  const signal = AbortSignal.any([limit, tooLarge.signal]);
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  const transport = new StreamableHTTPClientTransport(url, { fetch: boundedFetch(signal, tooLarge) });
  const client = new Client({ name: 'tollhouse', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const ask = async () => {
    await client.connect(transport, { signal });
    const { name, version } = client.getServerVersion() ?? {};
    return { title: name, version, tools: listedTools(await readPages(client, signal)) };
  };
  try {
    return await Promise.race([ask(), ended]);
  } catch (error) {
    throw new CommandError(`${url.host} listed no tools: ${inOneLine(reasonOf(error))}`);
  } finally {
    await client.close();
  }
}

/** Each page as it comes: `listTools` of the client prints what servers say, and leaves tools out. */
async function readPages(client: Client, signal: AbortSignal): Promise<readonly unknown[]> {
  const tools: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request({ method: 'tools/list', params }, { signal });
    tools.push(...answer.tools);
    cursor = answer.nextCursor;
    if (cursor === undefined) return tools;
  }
  throw new Error(`it has more than ${MAX_PAGES} pages`);
}

/** Counts the bytes of all answers. */
function boundedFetch(signal: AbortSignal, tooLarge: AbortController): typeof fetch {
  let left = MAX_SOURCE_BYTES;
  return async (input, init) => {
    const all = init?.signal ? AbortSignal.any([signal, init.signal]) : signal;
    const response = await fetch(input, { ...init, redirect: 'error', signal: all });
    const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        left -= chunk.length;
        if (left < 0) tooLarge.abort(new Error(`it sent more than ${MAX_SOURCE_BYTES} bytes`));
        else controller.enqueue(chunk);
      },
    });
    return response.body === null ? response : new Response(response.body.pipeThrough(count), response);
  };
}

/** The innermost cause: `fetch failed` alone says nothing. */
function reasonOf(error: unknown): string {
  let inner = error;
  while (inner instanceof Error && inner.cause instanceof Error && inner.cause.message !== '') inner = inner.cause;
  return inner instanceof Error ? inner.message : String(inner);
}
