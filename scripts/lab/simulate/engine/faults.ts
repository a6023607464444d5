import type { ClockFault } from './host.ts';
import type { Random } from './random.ts';

/** What goes wrong in one world. Rates are probabilities for each message. */
export interface Faults {
  /** Whether faults still happen. They end before the world heals. */
  isOn: boolean;
  readonly lost: number;
  readonly late: number;
  readonly doubled: number;
  /** A process ends when it sends or receives a message. */
  readonly crash: number;
  /** A connection that holds a lock breaks. */
  readonly broken: number;
  /** A statement of PostgreSQL fails, before or after its commit. */
  readonly refused: number;
  /** The named step at which a process ends or stops for a while, and how often the step is passed before. */
  readonly crashStep: { readonly step: string; readonly passes: number; readonly isStall: boolean } | undefined;
  /** Whether clocks are wrong. */
  readonly wrongClocks: boolean;
}

const RATES = [0, 0.01, 0.03, 0.1] as const;

/** Draws the faults of a world. One world in ten has none. */
export function drawFaults(random: Random, steps: readonly [string, ...string[]]): Faults {
  const isCalm = random.chance(0.1);
  const rate = () => (isCalm ? 0 : random.pick(RATES));
  const crashesAtStep = !isCalm && random.chance(0.6);
  const crashStep = { step: random.pick(steps), passes: random.below(3), isStall: random.chance(0.4) };
  return {
    isOn: true,
    lost: rate(),
    late: rate(),
    doubled: rate(),
    crash: rate() / 5,
    broken: rate() / 5,
    refused: rate() / 2,
    crashStep: crashesAtStep ? crashStep : undefined,
    wrongClocks: !isCalm && random.chance(0.5),
  };
}

/** Mostly seconds, which the product tolerates; sometimes minutes or hours, for which it closes. */
export function drawClock(random: Random, { wrongClocks }: Faults): ClockFault {
  if (!wrongClocks) return { offsetMs: 0, drift: 0 };
  const drift = random.pick([0, 0, 0.0002, -0.0002, 0.01, -0.01]);
  const farthestMs = random.pick([0, 2000, 30_000, 250_000, 7_200_000]);
  return { offsetMs: random.between(-farthestMs, farthestMs), drift };
}
