import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ErrorCode } from '../../services/platform/errors/error-codes.ts';
import { isRecord } from '../../services/platform/is-record.ts';

/** A tool as it is listed, and how it is called. */
export interface Tool<Context> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of an object without unions at its root, which many clients do not support. */
  readonly inputSchema: ObjectSchema;
  readonly outputSchema?: ObjectSchema;
  readonly annotations?: ToolHints;
  /** Whether errors are structured content too. The output schema must allow them. */
  readonly structuresRefusals?: boolean;
  /** Remedies of this tool by error code, in place of the general ones. */
  readonly remedies?: Remedies;
  /** @throws {AppError} which becomes a result with `isError` */
  readonly call: (call: ToolCall<Context>) => Promise<CallToolResult>;
}

export interface ToolCall<Context> {
  /** The arguments as they were sent, unchecked. */
  readonly args: Readonly<Record<string, unknown>>;
  /** `_meta` of the request. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** Extensions of the protocol that the client supports. Known only for requests without a handshake. */
  readonly extensions: readonly string[];
  readonly context: Context;
}

export interface ObjectSchema {
  readonly type: 'object';
  readonly [keyword: string]: unknown;
}

/** Every hint that has a meaning for the tool: the protocol's default for a missing one is the worst case. */
export type ToolHints =
  | { readonly readOnlyHint: true; readonly openWorldHint: boolean }
  | {
      readonly readOnlyHint: false;
      readonly destructiveHint: boolean;
      readonly idempotentHint: boolean;
      readonly openWorldHint: boolean;
    };

export type Remedies = Readonly<Partial<Record<ErrorCode, string>>>;

/** A JSON object as a tool result, twice: for clients that read structures and for clients that read text. */
export function toToolResult(json: string): CallToolResult {
  return { content: [{ type: 'text', text: json }], structuredContent: readObject(json) };
}

/** @throws {TypeError} if the text is not a JSON object, which is a bug of the service that wrote it */
export function readObject(json: string): Record<string, unknown> {
  const value: unknown = JSON.parse(json);
  if (!isRecord(value)) throw new TypeError('the answer is not a JSON object');
  return { ...value };
}
