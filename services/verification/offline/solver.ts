import type { SolverAnswers, SolverTask, SolverTaskKind } from '../../../workers/solver/tasks.ts';
import { createPool, type Pool } from '../../platform/pools/pool.ts';
import { readSolverData } from '../solver/solver-data.ts';

/** Runs one task of the solver on a thread of its own. It gives the same answer as the service. */
export async function askSolver<Kind extends SolverTaskKind>(
  task: Extract<SolverTask, { readonly kind: Kind }>,
): Promise<SolverAnswers[Kind]> {
  const pool: Pool<SolverTask, SolverAnswers[SolverTaskKind]> = createPool({
    worker: new URL('../../../workers/solver/worker.ts', import.meta.url),
    workerData: await readSolverData(),
    recycling: true,
    threads: 1,
  });
  try {
    const answer = await pool.run(task);
    if (!answer.ok) throw new Error(answer.message);
    // The worker answers each kind of task with the answer of that kind.
    return answer.value as SolverAnswers[Kind];
  } finally {
    await pool.close();
  }
}
