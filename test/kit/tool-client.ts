import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type Static, type TSchema, Type } from 'typebox';
import { createJsonReader, createReader } from '../../scripts/launch/parse/json-reader.ts';

export interface ToolClientOptions {
  readonly origin: string;
  /** API key. Without it, the caller is anonymous. */
  readonly key?: string;
  /** Protocol revision. `auto` is the newest that both sides support; `legacy`, the default, has a handshake. */
  readonly revision?: 'auto' | 'legacy';
}

export interface ToolClient {
  readonly client: Client;
  /** The answer of a tool. The client checks it against the tool's output schema. @throws {Error} for an error answer */
  call(name: string, args?: Arguments): Promise<unknown>;
  /** The answer of a tool, with the type of a schema that it must match. @throws {Error} for any other answer */
  read<Schema extends TSchema>(schema: Schema, name: string, args?: Arguments): Promise<Static<Schema>>;
  /** The error answer of a tool. @throws {Error} for any other answer */
  refusal(name: string, args: Arguments): Promise<Refusal>;
}

type Arguments = Readonly<Record<string, unknown>>;

const Refusal = Type.Object({
  code: Type.String(),
  message: Type.String(),
  remedy: Type.Optional(Type.String()),
});
export type Refusal = Readonly<Type.Static<typeof Refusal>>;

const parseRefusal = createJsonReader(Type.Object({ error: Refusal }), 'the error answer of a tool');

interface Result {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
  readonly content: readonly { readonly type: string }[];
}

/** Connects the official client of the protocol. */
export async function connectTools({ origin, key, revision = 'legacy' }: ToolClientOptions): Promise<ToolClient> {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const transport = new StreamableHTTPClientTransport(new URL('/api/v1/mcp', origin), { requestInit: { headers } });
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: revision } });
  await client.connect(transport);
  // The client checks only answers of tools that it has listed.
  await client.listTools();
  const ask = async (name: string, args: Arguments): Promise<Result> =>
    client.callTool({ name, arguments: { ...args } });
  const call = async (name: string, args: Arguments = {}): Promise<unknown> => {
    const result = await ask(name, args);
    if (result.isError) throw new Error(`${name}: ${textOf(result)}`);
    if (textOf(result) === '') throw new Error(`${name} answered no text`);
    return result.structuredContent;
  };
  return {
    client,
    call,
    read: async (schema, name, args) => createReader(schema, `the answer of ${name}`)(await call(name, args)),
    async refusal(name, args) {
      const result = await ask(name, args);
      if (!result.isError) throw new Error(`${name} was not refused`);
      return parseRefusal(textOf(result)).error;
    },
  };
}

export function textOf({ content: [first] }: Result): string {
  return first !== undefined && 'text' in first ? String(first.text) : '';
}
