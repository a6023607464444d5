import type { Logger } from '../../platform/process/logger.ts';
import { type Answer, toText } from '../context/operation.ts';
import type { Judge } from '../solver/judge.ts';
import { type SolverPins, toSolverPins } from '../solver/pins.ts';
import { type DocumentFacts, documentOf, type KnownRecords, type SolverState } from './document.ts';
import { createLatest } from './latest.ts';
import { type MeasureStoreDeps, measureStore, type StoreMeasurement, UNMEASURED } from './measure-store.ts';

const SOLVER_TIMEOUT_MS = 10_000;
/** The document is there within a second, whatever hangs. */
const WAIT_MS = 800;

export interface StatusDeps extends MeasureStoreDeps, Pick<DocumentFacts, 'storage' | 'isSandbox'> {
  readonly judge: Judge;
  /** What proofs say of the solver. */
  readonly pins: SolverPins;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly logger: Logger;
}

/** The measurement with the time of this process, which is all there is while the database has none. */
interface TimedStore {
  readonly store: StoreMeasurement;
  readonly checkedAt: string;
}

/**
 * What the service says of itself: everything is measured at the time that the document names, at most 5 s ago.
 * @throws what the database throws when records cannot be counted at the start
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
    const [timed, solver] = await Promise.all([stores.read(), solvers.read()]);
    const { store, checkedAt } = timed ?? { store: UNMEASURED, checkedAt: timeText(now()) };
    // A busy solver takes longer than the document waits: what it was last found to be holds until it is found to fail.
    const state = solver ?? lastSolver ?? { configured: true, ready: false, detail: 'the solver has not answered yet' };
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

/** Puts a problem with a known answer to the solver. */
async function measureSolver({ judge, pins, now, logger }: StatusDeps): Promise<SolverState> {
  try {
    const answer = await judge.knownProblem({ tenant: 'status', deadlineMs: now() + SOLVER_TIMEOUT_MS });
    const configured = JSON.stringify(toSolverPins(answer)) === JSON.stringify(pins);
    const detail = `${answer.z3Version} of z3-solver ${answer.npmVersion} solves`;
    return { configured, ready: true, detail: configured ? detail : `${detail}, which is not what proofs name` };
  } catch (err) {
    logger.warn({ err }, 'status: the solver does not solve');
    return { configured: true, ready: false, detail: 'the solver does not solve a problem whose answer is known' };
  }
}

/** As the database writes times; a clock of milliseconds knows no microseconds. */
const timeText = (atMs: number): string => `${new Date(atMs).toISOString().slice(0, -1)}000Z`;
