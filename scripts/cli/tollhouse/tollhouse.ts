import { readFileSync } from 'node:fs';
import { errorCodeOf } from '../../launch/parse/error-code.ts';
import { type Command, CommandError, type Terminal } from '../terminal/command.ts';
import { runProgram } from '../terminal/program.ts';
import { COMMANDS, ENVIRONMENT, MEANINGS } from './commands.ts';

const { version }: { readonly version: string } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
);

const PROGRAM = {
  name: 'npm run tollhouse --',
  version,
  about: ['The commands of Tollhouse.', ENVIRONMENT],
  groups: COMMANDS,
  meanings: MEANINGS,
  prepare: readingSecrets,
} as const;

/** @throws {CommandError} with a message for the operator; other errors are thrown as they are */
export const runTollhouse = (args: readonly string[], terminal: Terminal): Promise<void> =>
  runProgram(PROGRAM, args, terminal);

/** The command gets an environment with the secrets that files have. */
async function readingSecrets(command: Command): Promise<Command> {
  const { readSecretFiles } = await import('../../../services/platform/process/secret-files.ts');
  const { StartError } = await import('../../../services/platform/process/environment.ts');
  return async (terminal, ...given) => {
    const environment = { ...terminal.environment };
    try {
      readSecretFiles(environment);
      await command({ ...terminal, environment }, ...given);
    } catch (error) {
      throw error instanceof StartError ? new CommandError(error.message) : error;
    }
  };
}

/** Of files that an argument names and that cannot be read. */
const UNREADABLE: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES']);

/** What to print for an error, and the exit code. Errors with a code, such as ENOENT, are printed without a stack. */
export function reportOf(error: unknown): { readonly message: unknown; readonly exitCode: number } {
  if (error instanceof CommandError) return { message: error.message, exitCode: error.exitCode };
  const code = errorCodeOf(error);
  return {
    message: error instanceof Error && code !== undefined ? error.message : error,
    exitCode: UNREADABLE.has(code) ? 2 : 1,
  };
}
