import { readFileSync } from 'node:fs';
import { canonicalText } from '../../../../workers/exact/canonical-json.ts';
import { tableOfCsv } from '../../../../workers/plan/text/plan/table-of-csv.ts';
import { readParts, readViewedPlan } from '../../../../workers/plan/view/parts/viewed-plan.ts';
import { differenceLines } from '../../../../workers/plan/view/sections/difference-section.ts';
import { hashPlan, viewPlan, withoutDetails } from '../../../../workers/plan/view/view-plan.ts';
import { type Command, CommandError } from '../../terminal/command.ts';
import { findingsOf } from './lint-plan.ts';
import { decode, readPlanInput, readTools, readWholePlan, toTask } from './plan-input.ts';

/** `plan compile`. */
export const compile: Command = async ({ say }, options, file) =>
  say(canonicalText(readPlanInput(file, options).document));

/** `plan tools`. */
export const compileCatalogue: Command = async ({ say }, _, file) => say(canonicalText(readTools(file)));

/** `plan table`. */
export const table: Command = async ({ say }, { columns = '' }, file) => {
  const { rows, faults } = tableOfCsv(decode(readFileSync(file), file), columns);
  for (const row of rows ?? []) say(row);
  const lines = faults?.map(
    ({ line, message }) => `${line === undefined ? '--columns' : `${file}:${line}`}: ${message}`,
  );
  if (lines !== undefined) throw new CommandError(lines.join('\n'));
};

/** `plan explain`. */
export const explain: Command = async ({ say }, options, file) => {
  const input = readWholePlan(file, options);
  const before = options.before === undefined ? undefined : readWholePlan(options.before, options);
  const { findings } = await findingsOf(input);
  const viewed = before && readViewedPlan(before.plan, toTask(before));
  const view = viewPlan(input.plan, toTask(input), {
    hash: hashPlan(input.document),
    lint: findings,
    payees: viewed === undefined ? {} : { compared: { which: 'the plan before', plan: viewed.plan } },
    ...(viewed === undefined ? {} : { predecessor: viewed }),
  });
  say(options.all ? view : `${withoutDetails(view)}\nThe steps, their evidence and the tables: plan explain --all`);
};

/** `plan diff`. */
export const diff: Command = async ({ say }, options, before, after) => {
  const [old, now] = [before, after].map((file) => {
    const input = readWholePlan(file, options);
    return readParts(input.plan, toTask(input));
  });
  if (old === undefined || now === undefined) throw new TypeError('two plans were read');
  const lines = differenceLines(old, now);
  say(lines.length === 0 ? 'The plans are the same.' : lines.join('\n'));
};
