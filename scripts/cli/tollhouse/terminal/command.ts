import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** 1: the command failed. 2: its arguments are wrong. 3: this version cannot answer it. */
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

/** Ids of tenants and keys, in lower case. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The environment and the output of a command. */
export interface Terminal {
  readonly environment: NodeJS.ProcessEnv;
  /** Writes a line. */
  readonly say: (line: string) => void;
}

export type Command = (args: readonly string[], terminal: Terminal) => Promise<void>;

/** @returns the arguments. @throws {CommandError} with the usage unless their number is `count` */
export function expectArguments(args: readonly string[], count: number, usage: string): readonly string[] {
  if (args.length !== count) throw new CommandError(`usage: npm run tollhouse -- ${usage}`, 2);
  return args;
}

/** Reads options and positional arguments. @throws {CommandError} with the usage, for an option that is wrong */
export function parseArguments<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  usage: string,
) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw withUsage(error, usage);
  }
}

/** Reads options. @throws {CommandError} with the usage, for an option that is wrong and for any other argument */
export function parseOptions<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  usage: string,
) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw withUsage(error, usage);
  }
}

const withUsage = (error: unknown, usage: string): CommandError =>
  new CommandError(`${error instanceof Error ? error.message : String(error)}\n${usage}`, 2);

/** @returns the id. @throws {CommandError} if the text is not a UUID */
export function readTenantId(text: string): string {
  if (!UUID.test(text)) throw new CommandError('TENANT is the id of a tenant: see tenant list', 2);
  return text;
}
