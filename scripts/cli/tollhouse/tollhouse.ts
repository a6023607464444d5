import { COMMAND_LINES } from '../../../services/platform/process/installation.ts';
import type { Terminal } from '../terminal/command.ts';
import { runProgram } from '../terminal/program.ts';
import { runTry } from '../try/try.ts';
import { COMMANDS, ENVIRONMENT, MEANINGS } from './commands.ts';

const PROGRAM = {
  name: COMMAND_LINES.tollhouse,
  about: ['The commands of Tollhouse.', ENVIRONMENT],
  groups: COMMANDS,
  meanings: MEANINGS,
  prepare: readingSecrets,
} as const;

/** @throws {CommandError} with a message for the operator; other errors are thrown as they are */
export const runTollhouse = ([first, ...others]: readonly string[], terminal: Terminal): Promise<void> =>
  first === 'try'
    ? runTry(others, terminal)
    : runProgram(PROGRAM, first === undefined ? [] : [first, ...others], terminal);

/** The command gets an environment with the secrets that files have. */
async function readingSecrets(terminal: Terminal, name: string): Promise<Terminal> {
  // They say themselves what is missing, in one list.
  if (['start', 'serve', 'doctor'].includes(name)) return terminal;
  const { readSecretFiles } = await import('../../../services/platform/process/secret-files.ts');
  const environment = { ...terminal.environment };
  readSecretFiles(environment);
  return { ...terminal, environment };
}
