import { readFileSync } from 'node:fs';
import { tableOfCsv } from '../../../../workers/plan-text/plan/table-of-csv.ts';
import { readParts } from '../../../../workers/plan-view/parts/plan-parts.ts';
import { differenceLines } from '../../../../workers/plan-view/sections/difference-section.ts';
import { hashPlan, viewPlan, withoutDetails } from '../../../../workers/plan-view/view-plan.ts';
import { CommandError, parseArguments, type Terminal } from '../terminal/command.ts';
import { findingsOf, lintPlan } from './lint-plan.ts';
import { newPlan } from './new-plan.ts';
import { decode, readPlanInput, readTools, readWholePlan, toText } from './plan-input.ts';
import { testPlan } from './test-plan.ts';

const USAGE = `usage: npm run tollhouse -- plan compile|lint|test FILE [--tools FILE] [--sheet FILE]...
       npm run tollhouse -- plan explain FILE [--tools FILE] [--sheet FILE]... [--before FILE] [--all]
       npm run tollhouse -- plan diff FILE FILE [--tools FILE] [--sheet FILE]...
       npm run tollhouse -- plan tools FILE
       npm run tollhouse -- plan table FILE.csv --columns '{ invoice: string(64), amount: decimal(2) }'
       npm run tollhouse -- plan new --tools FILE [--tool NAME]... [--title TEXT] [--expires TIME] [--times N] [--limit N]`;

const OPTIONS = {
  tools: { type: 'string' },
  sheet: { type: 'string', multiple: true },
  before: { type: 'string' },
  all: { type: 'boolean' },
  runs: { type: 'string' },
  tool: { type: 'string', multiple: true },
  title: { type: 'string' },
  times: { type: 'string' },
  limit: { type: 'string' },
  expires: { type: 'string' },
  columns: { type: 'string' },
} as const;

const readOptions = (args: readonly string[]) => parseArguments(args, OPTIONS, USAGE);
type Options = ReturnType<typeof readOptions>['values'];
type Action = (files: readonly string[], options: Options, terminal: Terminal) => Promise<void>;

/** `plan ACTION …`: compiles, checks, explains, compares, tests and begins plans. It asks no server. */
export async function plan(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = readOptions(args);
  const [name, ...files] = positionals;
  const action = name === undefined ? undefined : ACTIONS.get(name);
  if (action === undefined) throw new CommandError(USAGE, 2);
  await action(files, values, terminal);
}

const filesOf = ({ tools, sheet }: Options) => ({ tools, sheets: sheet });

const ACTIONS: ReadonlyMap<string, Action> = new Map<string, Action>([
  [
    'compile',
    async (files, options, { say }) => {
      say(toText(readPlanInput(only(files), filesOf(options)).document));
    },
  ],
  [
    'tools',
    async (files, _, { say }) => {
      say(toText(readTools(only(files))));
    },
  ],
  ['table', table],
  ['lint', async (files, options, terminal) => lintPlan(readPlanInput(only(files), filesOf(options)), terminal)],
  ['explain', explain],
  ['diff', diff],
  [
    'test',
    async (files, options, terminal) => {
      const file = only(files);
      const runs = options.runs ?? file.replace(/\.(?:ya?ml|json)$/, '.runs.yaml');
      await testPlan(readWholePlan(file, filesOf(options)), runs, terminal);
    },
  ],
  ['new', async (files, options, terminal) => newPlan(files, options, terminal)],
]);

async function table(files: readonly string[], { columns }: Options, { say }: Terminal): Promise<void> {
  if (columns === undefined) throw new CommandError(USAGE, 2);
  const file = only(files);
  const { rows, faults } = tableOfCsv(decode(readFileSync(file), file), columns);
  for (const row of rows ?? []) say(row);
  const lines = faults?.map(
    ({ line, message }) => `${line === undefined ? '--columns' : `${file}:${line}`}: ${message}`,
  );
  if (lines !== undefined) throw new CommandError(lines.join('\n'));
}

async function explain(files: readonly string[], options: Options, { say }: Terminal): Promise<void> {
  const input = readWholePlan(only(files), filesOf(options));
  const before = options.before === undefined ? undefined : readWholePlan(options.before, filesOf(options));
  const { findings } = await findingsOf(input);
  const tables = [...input.tables, ...(before?.tables ?? [])];
  const context = { ...input, tables, hash: hashPlan(input.document), lint: findings };
  const view = viewPlan(input.plan, { ...context, ...(before === undefined ? {} : { predecessor: before.plan }) });
  say(options.all ? view : `${withoutDetails(view)}\nThe steps, their evidence and the tables: plan explain --all`);
}

async function diff(files: readonly string[], options: Options, { say }: Terminal): Promise<void> {
  const [before, after, ...rest] = files;
  if (before === undefined || after === undefined || rest.length > 0) throw new CommandError(USAGE, 2);
  const [old, now] = [before, after].map((file) => {
    const input = readWholePlan(file, filesOf(options));
    return readParts(input.plan, input);
  });
  if (old === undefined || now === undefined) throw new TypeError('two plans were read');
  const lines = differenceLines(old, now);
  say(lines.length === 0 ? 'The plans are the same.' : lines.join('\n'));
}

function only(files: readonly string[]): string {
  const [file, ...rest] = files;
  if (file === undefined || rest.length > 0) throw new CommandError(USAGE, 2);
  // A missing file is reported before anything is loaded.
  readFileSync(file);
  return file;
}
