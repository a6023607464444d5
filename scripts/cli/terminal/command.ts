/** 1: the command failed. 2: its arguments are wrong. 3: this version cannot answer it. 78: its settings cannot be used. */
export type FailureCode = 1 | 2 | 3 | 78;

/** Ends a command with a message for the user and an exit code. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: FailureCode;

  constructor(message: string, exitCode: FailureCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Ids of tenants and keys, in lower case. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The environment and the output of a command. */
export interface Terminal {
  readonly environment: NodeJS.ProcessEnv;
  /** Writes a line. */
  readonly say: (line: string) => void;
}

type Texts =
  | ('agentKey' | 'amount' | 'approverKey' | 'before' | 'by' | 'checkpoint' | 'columns' | 'consistency')
  | (
      | 'group'
      | 'key'
      | 'keys'
      | 'limit'
      | 'name'
      | 'payer'
      | 'reason'
      | 'records'
      | 'rpc'
      | 'runs'
      | 'state'
      | 'subject'
    )
  | ('file' | 'mcp' | 'openapi' | 'tenant' | 'tools' | 'transaction' | 'url' | 'wallet');
type Flags = 'again' | 'all' | 'channel' | 'check' | 'complete' | 'csv' | 'dryRun' | 'force' | 'json' | 'pay';
type Lists = 'scope' | 'sheet';

/** The options of all commands. A command gets those of its usage. */
export type Options = Readonly<
  Partial<Record<Texts, string> & Record<Flags, boolean> & Record<Lists, readonly string[]>>
>;

/** Gets as many arguments as its row in the table of commands has. */
export type Command = (terminal: Terminal, options: Options, ...args: readonly string[]) => Promise<void>;

/** @returns the id. @throws {CommandError} if the text is not a UUID */
export function readTenantId(text: string): string {
  if (!UUID.test(text)) throw new CommandError('TENANT is the id of a tenant: see tenant list', 2);
  return text;
}
