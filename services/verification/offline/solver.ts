import type { SolverAnswers, SolverTask, SolverTaskKind } from '../../../workers/verdict/tasks.ts';
import { createPool, type Pool } from '../../platform/pools/pool.ts';
import { readSolverData } from '../solver/solver-data.ts';

export interface OfflineSolver {
  /** Runs one task. It gives the same answer as the service. */
  ask<Kind extends SolverTaskKind>(task: Extract<SolverTask, { readonly kind: Kind }>): Promise<SolverAnswers[Kind]>;
  close(): Promise<void>;
}

type SolverPool = Pool<SolverTask, SolverAnswers[SolverTaskKind]>;

interface SharedPool {
  readonly pool: Promise<SolverPool>;
  users: number;
}

let shared: SharedPool | undefined;

/** Opens the solver of this process. It has one thread, which starts with the first user and ends with the last. */
export async function openSolver(): Promise<OfflineSolver> {
  shared ??= { pool: startPool(), users: 0 };
  const used = shared;
  used.users += 1;
  const close = async () => {
    used.users -= 1;
    if (used.users > 0) return;
    shared = undefined;
    await (await used.pool).close();
  };
  const pool = await used.pool.catch((error: unknown) => {
    shared = undefined;
    throw error;
  });
  return {
    async ask<Kind extends SolverTaskKind>(task: Extract<SolverTask, { readonly kind: Kind }>) {
      const answer = await pool.run(task);
      if (!answer.ok) throw new Error(answer.message);
      // The worker answers each kind of task with the answer of that kind.
      return answer.value as SolverAnswers[Kind];
    },
    close,
  };
}

async function startPool(): Promise<SolverPool> {
  return createPool({
    worker: new URL('../../../workers/verdict/worker.ts', import.meta.url),
    workerData: await readSolverData(),
    recycling: true,
    threads: 1,
    maxQueue: Number.POSITIVE_INFINITY,
  });
}

/** Runs one task of the solver. */
export async function askSolver<Kind extends SolverTaskKind>(
  task: Extract<SolverTask, { readonly kind: Kind }>,
): Promise<SolverAnswers[Kind]> {
  const solver = await openSolver();
  try {
    return await solver.ask(task);
  } finally {
    await solver.close();
  }
}
