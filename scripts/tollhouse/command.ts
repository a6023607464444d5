/** Ends a command with words for whoever gave it. Exit code 1: no; 2: it was not understood. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Of tenants and keys, as operators type them. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Where a command is given. */
export interface Terminal {
  readonly environment: NodeJS.ProcessEnv;
  /** Writes a line. */
  readonly say: (line: string) => void;
}

export type Command = (args: readonly string[], terminal: Terminal) => Promise<void>;

/** @throws {CommandError} unless there are exactly as many */
export function expectArguments(args: readonly string[], count: number, usage: string): readonly string[] {
  if (args.length !== count) throw new CommandError(`usage: npm run tollhouse -- ${usage}`, 2);
  return args;
}
