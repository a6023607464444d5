/** The command's answer is no; it was not understood; it cannot be answered by this version. */
export type FailureCode = 1 | 2 | 3;

/** Ends a command with a message for the user and an exit code. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: FailureCode;

  constructor(message: string, exitCode: FailureCode = 1) {
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
