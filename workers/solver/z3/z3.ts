import { createHash } from 'node:crypto';
import z3Package from 'z3-solver/package.json' with { type: 'json' };
import { type SmtAnswer, SmtError, type SmtQuery, type SmtSolver } from '../decide/smt-solver.ts';
import { loadModule } from './module.ts';
import { toScript } from './script.ts';
import { ARITHMETIC, SEED, SOLVER, solve } from './solve.ts';

/** A second or two of a core where it is used up; 500 variables under 750 linear constraints take 127,000. */
export const DEFAULT_RLIMIT = 200_000;

/** z3 gives up there rather than at the module's 2 GB, where it aborts. */
const MAX_MEMORY_MB = 1024;

/** When an instance is to be replaced: what it has touched of the module's memory is never given back. */
const MAX_CHECKS = 5000;
const MAX_HEAP_BYTES = 400_000_000;

/** What answers depend on, besides the query and its rlimit. */
export interface Z3Pins {
  /** Of the package z3-solver. */
  readonly npmVersion: string;
  /** As z3 says it of itself. */
  readonly z3Version: string;
  readonly wasmSha256: string;
  readonly options: Readonly<Record<string, string | number>>;
  readonly seed: number;
}

export interface Z3Options {
  /** A query that needs more breaks the instance. */
  readonly maxMemoryMb?: number;
}

export interface Z3 extends SmtSolver {
  readonly pins: Z3Pins;
  /** `heapBytes`: the most that z3 has held at once. */
  usage(): { readonly checks: number; readonly heapBytes: number };
  /** The thread is to be replaced, for z3 threw, ran out of memory, has grown or is old. */
  isWorn(): boolean;
}

/**
 * Loads z3 into this thread: 0.3 s, 120 MB. Only the synchronous half of its API is used: the asynchronous one hands
 * over strings that are freed before they are read.
 * @param wasm build/z3-built.wasm of the package z3-solver, which may lie in shared memory
 */
export async function createZ3(wasm: Uint8Array, { maxMemoryMb = MAX_MEMORY_MB }: Z3Options = {}): Promise<Z3> {
  // Hashed is what is compiled: shared memory could change in between.
  const binary = new Uint8Array(wasm);
  const module = await loadModule(binary);
  module.api.global_param_set('memory_max_size', `${maxMemoryMb}`);
  let checks = 0;
  let heapBytes = 0;
  let hasFailed = false;
  let isBroken = false;

  function check(query: SmtQuery): SmtAnswer {
    if (isBroken) throw new SmtError('z3 is broken since an earlier query');
    const script = toScript(query);
    checks += 1;
    try {
      const { peakBytes, ...answer } = solve(module, query, script);
      heapBytes = Math.max(heapBytes, peakBytes);
      return { ...answer, script: createHash('sha256').update(script).digest('hex') };
    } catch (error) {
      hasFailed = true;
      if (error instanceof SmtError) throw error;
      // The module aborted: its memory is in no known state.
      isBroken = true;
      throw new SmtError('z3 broke off', { cause: error });
    }
  }

  return {
    check,
    pins: {
      npmVersion: z3Package.version,
      z3Version: module.api.get_full_version(),
      wasmSha256: createHash('sha256').update(binary).digest('hex'),
      options: { solver: SOLVER, 'arith.solver': ARITHMETIC, memory_max_size: maxMemoryMb },
      seed: SEED,
    },
    usage: () => ({ checks, heapBytes }),
    isWorn: () => hasFailed || checks >= MAX_CHECKS || heapBytes >= MAX_HEAP_BYTES,
  };
}
