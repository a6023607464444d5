import type { Terminal } from '../terminal/command.ts';
import { runProgram } from '../terminal/program.ts';
import { COMMANDS, ENVIRONMENT, MEANINGS } from './commands.ts';

const PROGRAM = {
  name: 'npm run tollhouse --',
  about: ['The commands of Tollhouse.', ENVIRONMENT],
  groups: COMMANDS,
  meanings: MEANINGS,
  prepare: readingSecrets,
} as const;

/** @throws {CommandError} with a message for the operator; other errors are thrown as they are */
export const runTollhouse = (args: readonly string[], terminal: Terminal): Promise<void> =>
  runProgram(PROGRAM, args, terminal);

/** The command gets an environment with the secrets that files have. */
async function readingSecrets(terminal: Terminal): Promise<Terminal> {
  const { readSecretFiles } = await import('../../../services/platform/process/secret-files.ts');
  const environment = { ...terminal.environment };
  readSecretFiles(environment);
  return { ...terminal, environment };
}
