import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { CommandError } from '../../../terminal/command.ts';
import { inOneLine } from './draft-tools.ts';
import { looseOf, membersOf, type Source, type SourceTool } from './source-tool.ts';

/** Most bytes of a source, in all its answers together. */
export const MAX_SOURCE_BYTES = 10_000_000;
const MAX_PAGES = 100;

/** The tools of a list, of the result of `tools/list`, or of a whole answer. @throws {CommandError} */
export function listedTools(json: unknown): readonly SourceTool[] {
  const { result = json } = looseOf(json);
  const { tools = result } = looseOf(result);
  if (!Array.isArray(tools)) throw new CommandError('this is not a list of tools');
  return tools.map((tool: unknown) => {
    const { name, description, annotations, inputSchema, outputSchema } = looseOf(tool);
    if (typeof name !== 'string') throw new CommandError('this is not a list of tools: one has no name');
    return {
      name,
      about: description,
      claims: annotations,
      args: membersOf(inputSchema, inputSchema),
      responds: membersOf(outputSchema, outputSchema),
    };
  });
}

/** Asks an MCP server for its tools, over Streamable HTTP, until `limit`. Redirects are not followed. @throws {CommandError} */
export async function askForTools(url: URL, limit: AbortSignal): Promise<Source> {
  const tooLarge = new AbortController();
  const signal = AbortSignal.any([limit, tooLarge.signal]);
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  const client = new Client({ name: 'tollhouse', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const ask = async () => {
    await client.connect(new StreamableHTTPClientTransport(url, { fetch: boundedFetch(signal, tooLarge) }), { signal });
    return { version: client.getServerVersion()?.version, tools: listedTools(await readPages(client, signal)) };
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
  let params = {};
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { nextCursor, tools: more } = await client.request({ method: 'tools/list', params }, { signal });
    tools.push(...more);
    if (nextCursor === undefined) return tools;
    params = { cursor: nextCursor };
  }
  throw new Error(`it has more than ${MAX_PAGES} pages`);
}

/** Counts the bytes of all answers. */
function boundedFetch(signal: AbortSignal, tooLarge: AbortController): typeof fetch {
  let left = MAX_SOURCE_BYTES;
  return async (input, init) => {
    const all = AbortSignal.any([signal, ...(init?.signal ? [init.signal] : [])]);
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
  if (!(error instanceof Error)) return String(error);
  return (error.cause instanceof Error && reasonOf(error.cause)) || error.message;
}
