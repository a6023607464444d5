import { readFileSync } from 'node:fs';
import { styleText } from 'node:util';
import { Command as Commander, CommanderError } from 'commander';
import { type Command, CommandError, type Terminal } from './command.ts';
import { optionsOf } from './options.ts';

/** What a command does, for `--help`; what loads it; and its arguments in an example. */
export type Row = readonly [what: string, load?: () => Promise<Command>, example?: string];

/**
 * Commands by usage, such as `payments show <CLAIM_ID> [--json]`, under the headings of `--help`. Those under no heading are
 * old spellings, which no help names. A row without `load` says what the commands that begin with its name are for.
 */
export type Groups = Readonly<Record<string, Readonly<Record<string, Row>>>>;

export interface Program {
  /** What to type before its commands. */
  readonly name: string;
  /** Printed before and after the commands. */
  readonly about: readonly [string, string];
  readonly groups: Groups;
  /** The meanings of options by flags. */
  readonly meanings: Readonly<Record<string, string>>;
  /** Prepares the terminal for a command. */
  readonly prepare?: (terminal: Terminal, name: string) => Promise<Terminal>;
}

const { version }: { readonly version: string } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
);

/** Columns of help that goes to a file. */
const WIDTH = 120;
const bold = (text: string): string => styleText('bold', text, { validateStream: false });

/** The names and the arguments of a usage. */
export const withoutOptions = (usage: string): string => usage.replace(/ \[?--.*/, '');

/**
 * Runs the command that the arguments name, or prints help. Only the modules of this command are loaded.
 * @throws {CommandError} with exit code 2, and what to type, if the arguments are wrong
 */
export async function runProgram(program: Program, args: readonly string[], terminal: Terminal): Promise<void> {
  let errors = '';
  const [before, after] = program.about;
  const root = new Commander(program.name)
    .description(before)
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print help; also after a command')
    .exitOverride()
    .enablePositionalOptions()
    .configureHelp({
      styleTitle: bold,
      subcommandTerm: termOf,
    })
    .configureOutput({
      writeOut: (text) => terminal.say(text.trimEnd()),
      writeErr: (text) => {
        errors += text;
      },
      getOutHelpWidth: () => process.stdout.columns ?? WIDTH,
      getErrHelpWidth: () => process.stderr.columns ?? WIDTH,
    })
    .showHelpAfterError(`${program.name} --help prints the commands`)
    .addHelpText('after', `\n${after}`);
  for (const [heading, rows] of Object.entries(program.groups)) {
    root.commandsGroup(`${heading}:`);
    for (const [usage, row] of Object.entries(rows)) add(usage, row, heading === '');
  }
  root.commandsGroup('Help:').helpCommand('help [command]', 'print help');
  try {
    await root.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw await withoutStack(error);
    if (error.exitCode !== 0) throw new CommandError(errors.trim(), 2);
  }

  function add(usage: string, [what, load, example = '']: Row, hidden: boolean): void {
    const name = withoutOptions(usage);
    const [first = '', second] = name.split(' ');
    const parent = /^[a-z]/.test(second ?? '') ? root.commands.find((each) => each.name() === first) : undefined;
    const path = `${program.name} ${name.replace(/ [<[].*/, '')}`;
    const command = (parent ?? root)
      .command(parent === undefined ? name : name.slice(first.length + 1), { hidden })
      .description(what)
      .helpCommand(false);
    if (load === undefined) {
      command.showHelpAfterError(`${path} --help prints its commands`);
      return;
    }
    for (const option of optionsOf(usage, program.meanings)) command.addOption(option);
    const typed = `${path} ${example}`.trimEnd();
    command
      .usage(`${program.name} ${usage}`.slice(path.length + 1))
      .showHelpAfterError(`Usage: ${program.name} ${usage}\nExample: ${typed}`);
    command.addHelpText('after', `\n${bold('Example:')}\n  ${typed}`);
    command.action(async () => {
      const loaded = await load();
      const prepared = (await program.prepare?.(terminal, first)) ?? terminal;
      await loaded(prepared, command.opts(), ...command.args);
    });
  }
}

/** In a list of commands: the name and the arguments. */
const termOf = (command: Commander): string =>
  `${command.name()}${withoutOptions(` ${command.usage()}`)}`.replaceAll(/ \[(?:options|command)\]/g, '');

/** Settings that cannot be used are for the reader to correct. */
async function withoutStack(error: unknown): Promise<unknown> {
  const { ConfigurationError, EX_CONFIG, StartError } = await import(
    '../../../services/platform/process/environment.ts'
  );
  if (error instanceof ConfigurationError) return new CommandError(error.message, EX_CONFIG);
  return error instanceof StartError ? new CommandError(error.message) : error;
}
