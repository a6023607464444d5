import { workerData } from 'node:worker_threads';
import { recycling } from '../thread/recycling.ts';
import { releaseMemory } from '../thread/release-memory.ts';
import { answerTask } from './answer.ts';
import type { SolverAnswers, SolverTask, SolverTaskKind } from './tasks.ts';
import { createZ3, DEFAULT_RLIMIT } from './z3/z3.ts';

const z3 = await createZ3(wasmOf(workerData));
releaseMemory();

/** The file build/z3-built.wasm of the package z3-solver, in shared memory. */
function wasmOf(data: unknown): Uint8Array {
  if (typeof data === 'object' && data !== null && 'wasm' in data && data.wasm instanceof Uint8Array) return data.wasm;
  throw new TypeError('the worker was started without the wasm of z3');
}

export default recycling<SolverTask, SolverAnswers[SolverTaskKind]>(
  (task) => ({ ok: true, value: answerTask(task, z3, DEFAULT_RLIMIT) }),
  z3.isWorn,
);
