import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { type AppError, toAppError } from '../errors.ts';
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
  const { name, title, version, instructions, tools } = set;
  const server = new Server(
    { name, title, version },
    { capabilities: { tools: {} }, instructions, supportedProtocolVersions: PROTOCOL_VERSIONS },
  );
  server.setRequestHandler('tools/list', async () => ({ tools: tools.map(toListed) }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq: { _meta: meta = {} } }) => {
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
      return await tool.call({ args: params.arguments ?? {}, meta, context });
    } catch (thrown) {
      const error = toAppError(thrown);
      onFailure(error);
      return toToolError(error, { requestId, remedies: tool.remedies, isStructured: tool.structuresRefusals });
    }
  });
  return server;
}

function toListed<Context>({ remedies: _, call: __, structuresRefusals: ___, ...listed }: Tool<Context>) {
  return listed;
}
