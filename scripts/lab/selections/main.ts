import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { defined } from '../../../workers/exact/defined.ts';
import { exactSelect, type SelectionAnswer } from '../../../workers/select/exact-select.ts';
import { hard, type NamedInstance, ordinary } from './instances.ts';

const USAGE = `usage: node scripts/lab/selections/main.ts [--write] [--beside CHECKOUT] [--rounds N]

Solves ${ordinary.length} ordinary and ${hard.length} hard selections, and compares the answers with the recorded ones.

  --write             records the answers of this checkout, with times as multiples of the median
  --beside CHECKOUT   compares with the answers of another checkout instead, and prints the ratio of the times
  --rounds N          solves each selection N times in turns; the shortest time counts (3)

The exit code is 1 if an ordinary answer differs.`;

const ANSWERS = new URL('answers.jsonl', import.meta.url);

interface Recorded {
  readonly outcome: SelectionAnswer['outcome'];
  readonly isValueProven: boolean;
  /** Totals of the attributes that are summed. */
  readonly totals: SelectionAnswer['totals'];
  /** SHA-256 of the chosen ids and the core: its first 16 hexadecimal digits. */
  readonly digest: string;
  /** Relative to the median time of the ordinary selections. */
  readonly time: number;
}

type Solve = (json: unknown) => SelectionAnswer;

const { values } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    beside: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const rounds = Number(values.rounds);
if (values.help || !(rounds >= 1)) {
  console.error(USAGE);
  process.exit(values.help ? 0 : 2);
}

const all = [...ordinary, ...hard];
const isOrdinary = (index: number) => index < ordinary.length;
if (values.write) {
  const ours = all.map((instance) => solveInTurns(instance, [exactSelect])[0]).map(defined);
  const median = quantile(
    ours.filter((_, index) => isOrdinary(index)).map(({ time }) => time),
    0.5,
  );
  const lines = ours.map((answer, index) => {
    const recorded = { ...answer, time: Number((answer.time / median).toPrecision(3)) };
    return `${JSON.stringify({ name: defined(all[index]).name, ...recorded })}\n`;
  });
  writeFileSync(ANSWERS, lines.join(''));
} else {
  await compare();
}

async function compare(): Promise<void> {
  const other: Solve | undefined =
    values.beside && (await import(resolve(values.beside, 'workers/select/exact-select.ts'))).exactSelect;
  const lines = readFileSync(ANSWERS, 'utf8').trimEnd().split('\n');
  const recorded: readonly Recorded[] = lines.map((line) => JSON.parse(line));
  const ratios: number[] = [];
  let faults = 0;
  for (const [index, instance] of all.entries()) {
    const [mine, beside] = solveInTurns(instance, other === undefined ? [exactSelect] : [exactSelect, other]);
    const ours = defined(mine);
    const theirs = beside ?? defined(recorded[index]);
    const ratio = beside === undefined ? undefined : ours.time / beside.time;
    if (ratio !== undefined && isOrdinary(index)) ratios.push(ratio);
    const textOf = ({ outcome, isValueProven, totals, digest }: Recorded) =>
      JSON.stringify({ outcome, isValueProven, totals, digest });
    if (textOf(ours) === textOf(theirs)) continue;
    if (isOrdinary(index)) faults += 1;
    console.log(
      `${instance.name}: ${textOf(ours)} instead of ${textOf(theirs)}${ratio === undefined ? '' : `, ${ratio.toFixed(2)} of the time`}`,
    );
  }
  console.log(`${faults} of ${ordinary.length} ordinary answers differ`);
  if (ratios.length > 0) {
    const shares = [0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 1].map(
      (share) => `${share}: ${quantile(ratios, share).toFixed(2)}`,
    );
    console.log(`time of ordinary ones, this checkout / the other, by quantile: ${shares.join(', ')}`);
  }
  process.exitCode = faults === 0 ? 0 : 1;
}

/** The answers of several programs, with the shortest time of each. */
function solveInTurns({ name, selection }: NamedInstance, programs: readonly Solve[]): readonly Recorded[] {
  const times = programs.map(() => Number.POSITIVE_INFINITY);
  const answers: SelectionAnswer[] = [];
  // A hard selection takes seconds, and its time is of less interest.
  for (let round = 0; round < (ordinary.some((one) => one.name === name) ? rounds : 1); round += 1) {
    for (const [index, solve] of programs.entries()) {
      const startMs = performance.now();
      answers[index] = solve(selection);
      times[index] = Math.min(defined(times[index]), performance.now() - startMs);
    }
  }
  return answers.map(({ outcome, value_proven, totals, chosen, core }, index) => ({
    outcome,
    isValueProven: value_proven,
    totals,
    digest: hash('sha256', `${chosen.join()};${core.join()}`).slice(0, 16),
    time: defined(times[index]),
  }));
}

function quantile(numbers: readonly number[], share: number): number {
  return defined(numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(share * numbers.length))]);
}
