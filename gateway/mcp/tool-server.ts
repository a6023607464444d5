import {
  CLIENT_CAPABILITIES_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import { isRecord } from '../../services/platform/is-record.ts';
import { type AppError, toAppError } from '../errors/app-error.ts';
import type { Tool } from './tool.ts';
import { toToolError } from './tool-error.ts';

/** Supported revisions. The first is offered to a client that wants another one. */
const PROTOCOL_VERSIONS = ['2025-06-18', '2025-11-25', '2026-07-28'];

/** What an endpoint serves to every client. */
export interface ToolSet<Context> {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  /** For the model: what the tools are for, and in which order they are used. */
  readonly instructions: string;
  readonly tools: readonly Tool<Context>[];
  /** Extensions of the protocol, by identifier. */
  readonly extensions?: Readonly<Record<string, Readonly<Record<string, never>>>>;
}

/** One exchange. */
export interface ToolExchange<Context> {
  readonly context: Context;
  readonly requestId: string;
  /** A fault of the arguments: the tool's rules do not allow them. */
  readonly fault: AppError | undefined;
  readonly onFailure: (error: AppError) => void;
}

/**
 * A server that only has tools. It uses the SDK's inner server: the outer one compiles every schema again for each
 * message. The service checks the arguments, as it does over HTTP.
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

/** Extensions of the client. A request without a revision comes from one that knows none. */
function readExtensions(envelope: Readonly<Record<string, unknown>> = {}): readonly string[] {
  if (envelope[PROTOCOL_VERSION_META_KEY] === undefined) return [];
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY];
  const extensions = isRecord(capabilities) ? capabilities['extensions'] : undefined;
  return isRecord(extensions) ? Object.keys(extensions) : [];
}

function toListed<Context>({ remedies: _, call: __, structuresRefusals: ___, ...listed }: Tool<Context>) {
  return listed;
}
