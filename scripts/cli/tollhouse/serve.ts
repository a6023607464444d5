import { join } from 'node:path';
import { ROOT } from '../../../services/platform/process/installation.ts';
import { bundleOf, findBundles } from '../../launch/bundles/current-bundles.ts';
import { PROGRAMS, type Program } from '../../launch/processes/programs.ts';
import { START_SETTINGS } from '../../launch/processes/service-process.ts';
import { type Command, CommandError } from '../terminal/command.ts';

/** `serve`. The process becomes the program, so that the program gets its signals. */
export const serve: Command = async (_, { check }, name) => {
  const programs: Readonly<Record<string, Program>> = PROGRAMS;
  const program = programs[name];
  if (program === undefined) throw new CommandError(`no program ${name}: ${Object.keys(PROGRAMS).join(', ')}`, 2);
  const bundles = findBundles();
  const path = bundles === undefined ? join(ROOT, program.entry) : bundleOf(program.entry, bundles);
  const args = [...program.flags, path, ...(check ? ['--check'] : [])];
  if (process.execve === undefined) throw new CommandError('a process can become another one on Linux and macOS only');
  process.execve(process.execPath, [process.execPath, ...args], { ...START_SETTINGS, ...process.env });
};
