import {
  CLIENT_CAPABILITIES_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import { type AppError, toAppError } from '../errors/app-error.ts';
import type { Tool } from './tool.ts';
import { toToolError } from './tool-error.ts';

/** The first is offered to a client that wants one that is not spoken here. */
const PROTOCOL_VERSIONS = ['2025-06-18', '2025-11-25', '2026-07-28'];

/** What is served at an endpoint, whoever asks. */
export interface ToolSet<Context> {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  /** For the model: what the tools are for, and in which order they are used. */
  readonly instructions: string;
  readonly tools: readonly Tool<Context>[];
  /** Of the protocol, by identifier. */
  readonly extensions?: Readonly<Record<string, Readonly<Record<string, never>>>>;
}

/** One exchange. */
export interface ToolExchange<Context> {
  readonly context: Context;
  readonly requestId: string;
  /** Of the arguments: they could not be read by the tool's rules. */
  readonly fault: AppError | undefined;
  readonly onFailure: (error: AppError) => void;
}

/**
 * A server of tools alone. It is the SDK's inner one, for the outer one compiles every schema again for each message;
 * arguments are checked where they are used, over HTTP as here.
 */
export function createToolServer<Context>(set: ToolSet<Context>, exchange: ToolExchange<Context>): Server {
  const { name, title, version, instructions, tools, extensions = {} } = set;
  const server = new Server(
    { name, title, version },
    {
      capabilities: { tools: {}, ...(Object.keys(extensions).length > 0 && { extensions }) },
      instructions,
      supportedProtocolVersions: PROTOCOL_VERSIONS,
    },
  );
  server.setRequestHandler('tools/list', async () => ({ tools: tools.map(toListed) }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq: { _meta: meta = {}, envelope } }) => {
    const tool = tools.find((one) => one.name === params.name);
    if (tool === undefined) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `there is no tool of that name; tools/list has them all`,
      );
    }
    const { context, requestId, fault, onFailure } = exchange;
    try {
      if (fault !== undefined) throw fault;
      return await tool.call({ args: params.arguments ?? {}, meta, extensions: readExtensions(envelope), context });
    } catch (thrown) {
      const error = toAppError(thrown);
      onFailure(error);
      return toToolError(error, { requestId, remedies: tool.remedies, isStructured: tool.structuresRefusals });
    }
  });
  return server;
}

/** What stands there without a revision is of one that knows no extensions, and was looked at by nobody. */
function readExtensions(envelope: Readonly<Record<string, unknown>> = {}): readonly string[] {
  if (envelope[PROTOCOL_VERSION_META_KEY] === undefined) return [];
  const { extensions = {} } = envelope[CLIENT_CAPABILITIES_META_KEY] as { readonly extensions?: object };
  return Object.keys(extensions);
}

function toListed<Context>({ remedies: _, call: __, structuresRefusals: ___, ...listed }: Tool<Context>) {
  return listed;
}
