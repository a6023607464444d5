import type { ScenarioName } from '../scenarios/index.ts';
import { type ComparedFigures, compareRounds, type Sample } from './ratios.ts';
import { type BothSides, orderOf, type Side } from './sides.ts';

/** One scenario at one number of calls in flight. */
export interface Cell {
  readonly scenario: ScenarioName;
  readonly inFlight: number;
}

/** A side that does not give a scenario what it wants. */
export class NotServedError extends Error {
  override readonly name = 'NotServedError';
}

/** Sends the calls of a cell to one side. */
export interface Runner {
  /**
   * @param isCounted whether the round must be complete: calls that run out are prepared again, and more of them
   * @throws {NotServedError} if no call gets the wanted answer
   */
  run(durationMs: number, isCounted: boolean): Promise<Sample>;
  close(): Promise<void>;
}

export type CellResult = Cell &
  (
    | { readonly figures: ComparedFigures; readonly codes: BothSides<Sample['codes']> }
    | { readonly notServed: { readonly side: Side; readonly reason: string } }
  );

export interface CellPlan {
  readonly rounds: number;
  readonly roundMs: number;
  readonly warmUpMs: number;
  /** Starts a runner for one side. It is closed at the end. */
  readonly start: (side: Side, cell: Cell) => Runner;
  readonly onRound: (round: number, samples: BothSides<Sample>) => void;
}

/**
 * Runs both sides of a cell in turns, after a warm-up of each. A side that does not serve the scenario ends the cell, but
 * not the run. Other errors end the run.
 */
export async function measureCell(cell: Cell, plan: CellPlan): Promise<CellResult> {
  const runners = { baseline: plan.start('baseline', cell), present: plan.start('present', cell) };
  let running: Side = 'baseline';
  const run = (side: Side, durationMs: number, isCounted: boolean) => {
    running = side;
    return runners[side].run(durationMs, isCounted);
  };
  try {
    if (plan.warmUpMs > 0) for (const side of orderOf(0)) await run(side, plan.warmUpMs, false);
    const rounds: BothSides<Sample>[] = [];
    for (let round = 0; round < plan.rounds; round += 1) {
      const samples = await runRound(round, (side) => run(side, plan.roundMs, true));
      rounds.push(samples);
      plan.onRound(round, samples);
    }
    const codesOf = (side: Side) => addUp(rounds.map((round) => round[side].codes));
    return {
      ...cell,
      figures: compareRounds(rounds),
      codes: { baseline: codesOf('baseline'), present: codesOf('present') },
    };
  } catch (error) {
    if (!(error instanceof NotServedError)) throw error;
    return { ...cell, notServed: { side: running, reason: error.message } };
  } finally {
    await Promise.all([runners.baseline.close(), runners.present.close()]);
  }
}

async function runRound(round: number, run: (side: Side) => Promise<Sample>): Promise<BothSides<Sample>> {
  const [first, second] = orderOf(round);
  const [one, other] = [await run(first), await run(second)];
  return first === 'baseline' ? { baseline: one, present: other } : { baseline: other, present: one };
}

function addUp(counts: readonly Sample['codes'][]): Sample['codes'] {
  const sums = new Map<string, number>();
  for (const [code, count] of counts.flatMap((each) => Object.entries(each))) {
    sums.set(code, (sums.get(code) ?? 0) + count);
  }
  return Object.fromEntries(sums);
}
