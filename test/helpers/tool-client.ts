import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

export interface ToolClientOptions {
  readonly origin: string;
  /** Without one, nobody calls. */
  readonly key?: string;
  /** `auto`: by the newest revision that both speak; by default, one with a handshake. */
  readonly revision?: 'auto' | 'legacy';
}

export interface ToolClient {
  readonly client: Client;
  /** What a tool answered, which the client holds to the tool's output schema. @throws {Error} for an error */
  call<T>(name: string, args?: Readonly<Record<string, unknown>>): Promise<T>;
  /** The error that a tool answered. @throws {Error} for any other answer */
  refusal(name: string, args: Readonly<Record<string, unknown>>): Promise<Refusal>;
}

export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly remedy?: string;
}

interface Result {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
  readonly content: readonly { readonly type: string }[];
}

/** The protocol's own client. */
export async function connectTools({ origin, key, revision = 'legacy' }: ToolClientOptions): Promise<ToolClient> {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const transport = new StreamableHTTPClientTransport(new URL('/api/v1/mcp', origin), { requestInit: { headers } });
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: revision } });
  await client.connect(transport);
  // Without having listed them, the client checks no answer.
  await client.listTools();
  const ask = async (name: string, args: Readonly<Record<string, unknown>>): Promise<Result> =>
    client.callTool({ name, arguments: { ...args } });
  return {
    client,
    async call<T>(name: string, args: Readonly<Record<string, unknown>> = {}) {
      const result = await ask(name, args);
      if (result.isError) throw new Error(`${name}: ${textOf(result)}`);
      if (textOf(result) === '') throw new Error(`${name} answered no text`);
      return result.structuredContent as T;
    },
    async refusal(name, args) {
      const result = await ask(name, args);
      if (!result.isError) throw new Error(`${name} was not refused`);
      return (JSON.parse(textOf(result)) as { readonly error: Refusal }).error;
    },
  };
}

export function textOf({ content: [first] }: Result): string {
  return first !== undefined && 'text' in first ? String(first.text) : '';
}
