import type { SolverAnswers, SolverTask, SolverTaskKind } from '../../../workers/solver/tasks.ts';
import { createPool, type Pool } from '../../platform/pools/pool.ts';
import { readSolverData } from '../solver/solver-data.ts';

export interface OfflineSolver {
  /** Runs one task. It gives the same answer as the service. */
  ask<Kind extends SolverTaskKind>(task: Extract<SolverTask, { readonly kind: Kind }>): Promise<SolverAnswers[Kind]>;
  close(): Promise<void>;
}

/** Starts a solver on a thread of its own. */
export async function openSolver(): Promise<OfflineSolver> {
  const pool: Pool<SolverTask, SolverAnswers[SolverTaskKind]> = createPool({
    worker: new URL('../../../workers/solver/worker.ts', import.meta.url),
    workerData: await readSolverData(),
    recycling: true,
    threads: 1,
  });
  return {
    async ask<Kind extends SolverTaskKind>(task: Extract<SolverTask, { readonly kind: Kind }>) {
      const answer = await pool.run(task);
      if (!answer.ok) throw new Error(answer.message);
      // The worker answers each kind of task with the answer of that kind.
      return answer.value as SolverAnswers[Kind];
    },
    close: () => pool.close(),
  };
}

/** Runs one task of the solver on a thread of its own. */
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
