import { canonicalText } from '../../../workers/exact/canonical-json.ts';
import { defined } from '../../../workers/exact/defined.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { type SolverPins, toSolverPins } from '../solver/pins.ts';
import type { Solver } from '../solver/solver.ts';
import { type DocumentFacts, documentOf, type KnownRecords, type SolverState } from './document.ts';
import { createLatest } from './latest.ts';
import { type MeasureStoreDeps, measureStore, type StoreMeasurement, UNMEASURED } from './measure-store.ts';

const SOLVER_TIMEOUT_MS = 10_000;
/** Longest wait for a measurement. The document is answered within a second, even if a measurement hangs. */
const WAIT_MS = 800;

export interface StatusDeps extends MeasureStoreDeps, Pick<DocumentFacts, 'storage' | 'isSandbox'> {
  readonly solver: Solver;
  /** The pins of the solver in proofs. */
  readonly pins: SolverPins;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly logger: Logger;
}

/** A busy store may take longer than the document waits. What it showed is repeated for this time. */
const REPEATED_MS = 60_000;

/** A measurement with its time: that of the database or, if it does not answer, of this process. */
interface TimedStore {
  readonly store: StoreMeasurement;
  readonly checkedAt: string;
  readonly startedAtMs: number;
  readonly isRepeated: boolean;
}

/**
 * Creates a reader of the status document. Everything in it is measured, at the time that it names: at most 5 s ago, or a
 * minute while the store or the solver is busy.
 * @throws what the database throws if the records cannot be counted at the start
 */
export async function createStatus(deps: StatusDeps): Promise<() => Promise<string>> {
  const { now } = deps;
  let [last, lastSolver] = await Promise.all([readAtStart(deps), measureSolver(deps)]);
  let known = defined(knownOf(last.store));
  const recent = () => (now() - last.startedAtMs <= REPEATED_MS ? last : undefined);
  /** What a busy store showed last, or nothing after a minute. */
  const repeat = (): TimedStore => {
    const { startedAtMs } = last;
    const before = recent();
    if (before !== undefined) return { ...before, isRepeated: true };
    return { store: UNMEASURED, checkedAt: timeText(now()), startedAtMs, isRepeated: false };
  };
  const stores = createLatest<TimedStore>({
    now,
    waitMs: WAIT_MS,
    async measure() {
      const before = recent();
      const measured = await measureNow(deps, before?.store);
      if (measured === undefined) return repeat();
      // What it repeats does not become newer.
      if (measured.store.isLate) return before ? { ...before, store: measured.store, isRepeated: true } : measured;
      last = measured;
      known = knownOf(last.store) ?? known;
      return last;
    },
  });
  const solvers = createLatest<SolverState>({
    now,
    waitMs: WAIT_MS,
    async measure() {
      lastSolver = await measureSolver(deps);
      return lastSolver;
    },
  });
  return async () => {
    const [timed, measured] = await Promise.all([stores.read(), solvers.read()]);
    const { store, checkedAt, isRepeated } = timed ?? repeat();
    // A busy solver may take longer than the document waits. Its last state is reported until a measurement fails.
    return canonicalText(documentOf({ ...deps, solver: measured ?? lastSolver, store, known, checkedAt, isRepeated }));
  };
}

async function measureNow(deps: StatusDeps, before?: StoreMeasurement): Promise<TimedStore | undefined> {
  const startedAtMs = deps.now();
  const store = await measureStore(deps, before);
  if (store === undefined) return undefined;
  return { store, checkedAt: store.checkedAt ?? timeText(startedAtMs), startedAtMs, isRepeated: false };
}

async function readAtStart(deps: StatusDeps): Promise<TimedStore> {
  const first = await measureNow(deps);
  if (first === undefined || knownOf(first.store) === undefined)
    throw new Error('the records of the store cannot be counted');
  return first;
}

function knownOf({ checkedAt, counts, isFrozen }: StoreMeasurement): KnownRecords | undefined {
  if (checkedAt === undefined || counts === undefined || isFrozen === undefined) return undefined;
  return { checkedAt, counts, isFrozen };
}

/** Lets the solver solve a problem with a known answer. */
async function measureSolver({ solver, pins, now, logger }: StatusDeps): Promise<SolverState> {
  try {
    const answer = await solver.knownProblem({ tenant: 'status', deadlineMs: now() + SOLVER_TIMEOUT_MS });
    const configured = JSON.stringify(toSolverPins(answer)) === JSON.stringify(pins);
    const detail = `${answer.z3Version} of z3-solver ${answer.npmVersion} solves`;
    return { configured, ready: true, detail: configured ? detail : `${detail}, which is not what proofs name` };
  } catch (err) {
    logger.warn({ err }, 'status: the solver does not solve');
    return { configured: true, ready: false, detail: 'the solver does not solve a problem whose answer is known' };
  }
}

/** A time in the form of the database. The clock has milliseconds, so the microseconds are 000. */
const timeText = (atMs: number): string => `${new Date(atMs).toISOString().slice(0, -1)}000Z`;
