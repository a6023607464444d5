import { workerData } from 'node:worker_threads';
import { recycling } from '../thread/recycling.ts';
import { answerTask } from './answer.ts';
import type { SolverAnswers, SolverTask, SolverTaskKind } from './tasks.ts';
import { createZ3, DEFAULT_RLIMIT } from './z3/z3.ts';

/** `wasm`: build/z3-built.wasm of the package z3-solver, in shared memory. */
const { wasm } = workerData as { readonly wasm: Uint8Array };
const z3 = await createZ3(wasm);

export default recycling<SolverTask, SolverAnswers[SolverTaskKind]>(
  (task) => ({ ok: true, value: answerTask(task, z3, DEFAULT_RLIMIT) }),
  z3.isWorn,
);
