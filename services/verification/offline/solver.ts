import type { SolverAnswers, SolverTask, SolverTaskKind } from '../../../workers/solver/tasks.ts';
import { createPool, type Pool } from '../../platform/pools/pool.ts';
import { readSolverData } from '../solver/solver-data.ts';

/** Asks a solver of our own, on a thread as the service has them: the same question, the same answer. */
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
    return answer.value as SolverAnswers[Kind];
  } finally {
    await pool.close();
  }
}
