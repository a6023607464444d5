import type { Logger } from '../../platform/process/logger.ts';
import { type Answer, toText } from '../context/operation.ts';
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

/** A measurement with its time: that of the database or, if it does not answer, of this process. */
interface TimedStore {
  readonly store: StoreMeasurement;
  readonly checkedAt: string;
}

/**
 * Creates a reader of the status document. Everything in it is measured, at the time that it names and at most 5 s ago.
 * @throws what the database throws if the records cannot be counted at the start
 */
export async function createStatus(deps: StatusDeps): Promise<() => Promise<Answer>> {
  const { now } = deps;
  let known = await readAtStart(deps);
  let lastSolver: SolverState | undefined;
  const stores = createLatest<TimedStore>({
    now,
    waitMs: WAIT_MS,
    async measure() {
      const startedAt = timeText(now());
      const store = await measureStore(deps);
      const checkedAt = store.checkedAt ?? startedAt;
      known = knownOf(store) ?? known;
      return { store, checkedAt };
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
    const { store, checkedAt } = timed ?? { store: UNMEASURED, checkedAt: timeText(now()) };
    // A busy solver may take longer than the document waits. Its last state is reported until a measurement fails.
    const state = measured ??
      lastSolver ?? { configured: true, ready: false, detail: 'the solver has not answered yet' };
    return { answer: toText(documentOf({ ...deps, solver: state, store, known, checkedAt })) };
  };
}

async function readAtStart(deps: StatusDeps): Promise<KnownRecords> {
  const known = knownOf(await measureStore(deps));
  if (known === undefined) throw new Error('the records of the store cannot be counted');
  return known;
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
