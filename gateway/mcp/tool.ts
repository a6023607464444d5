import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ErrorCode } from '../../services/platform/errors/error-codes.ts';

/** A tool as it is listed, and how it is called. */
export interface Tool<Context> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of an object, without unions at its root: many models are not offered a tool that has them. */
  readonly inputSchema: ObjectSchema;
  readonly outputSchema?: ObjectSchema;
  readonly annotations?: ToolHints;
  /** Whether refusals are structured content as well: where the output schema allows them. */
  readonly structuresRefusals?: boolean;
  /** What to do about a refusal, by its code. */
  readonly remedies?: Remedies;
  /** @throws {AppError} what becomes an answer that is an error */
  readonly call: (call: ToolCall<Context>) => Promise<CallToolResult>;
}

export interface ToolCall<Context> {
  /** As they were sent: nobody has looked at them. */
  readonly args: Readonly<Record<string, unknown>>;
  /** `_meta` of the request. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** Extensions of the protocol that the client speaks; only known of requests without a handshake. */
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

/** The same JSON twice, for clients that read structures and for those that read text. */
export function toToolResult(json: string): CallToolResult {
  return { content: [{ type: 'text', text: json }], structuredContent: JSON.parse(json) as Record<string, unknown> };
}
