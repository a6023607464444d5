import { createHash } from 'node:crypto';
import z3Package from 'z3-solver/package.json' with { type: 'json' };
import { type SmtAnswer, SmtError, type SmtQuery, type SmtSolver } from '../decide/smt-solver.ts';
import { loadModule } from './module.ts';
import { toScript } from './script.ts';
import { ARITHMETIC, SEED, SOLVER, solve } from './solve.ts';

/** Takes a core one or two seconds. 500 variables under 750 linear constraints take 127,000 steps. */
export const DEFAULT_RLIMIT = 200_000;

/** z3 gives up at this size. At 2 GB the module would abort. */
const MAX_MEMORY_MB = 1024;

/** Limits after which an instance must be replaced: the module never gives memory back. */
const MAX_CHECKS = 5000;
const MAX_HEAP_BYTES = 400_000_000;

/** Everything that answers depend on, besides the query and its rlimit. */
export interface Z3Pins {
  /** Version of the package z3-solver. */
  readonly npmVersion: string;
  /** Version that z3 itself reports. */
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
  /** Whether the thread must be replaced: z3 threw, ran out of memory, has grown too large or has made too many checks. */
  isWorn(): boolean;
}

/**
 * Loads z3 into this thread, which takes 0.3 s and 120 MB. Only the synchronous part of its API is used: the asynchronous
 * part frees strings before they are read.
 * @param wasm the file build/z3-built.wasm of the package z3-solver; may be in shared memory
 */
export async function createZ3(wasm: Uint8Array, { maxMemoryMb = MAX_MEMORY_MB }: Z3Options = {}): Promise<Z3> {
  // A copy, so that the hash is of what is compiled: shared memory could change in between.
  const binary = new Uint8Array(wasm);
  const module = await loadModule(binary);
  module.api.global_param_set('memory_max_size', `${maxMemoryMb}`);
  let checks = 0;
  let heapBytes = 0;
  let hasFailed = false;
  let isBroken = false;

  function check(query: SmtQuery): SmtAnswer {
    if (isBroken) throw new SmtError('z3 broke at an earlier query');
    const script = toScript(query);
    checks += 1;
    try {
      const { peakBytes, ...answer } = solve(module, query, script);
      heapBytes = Math.max(heapBytes, peakBytes);
      return { ...answer, script: createHash('sha256').update(script).digest('hex') };
    } catch (error) {
      hasFailed = true;
      if (error instanceof SmtError) throw error;
      // The module aborted, and the state of its memory is unknown.
      isBroken = true;
      throw new SmtError('z3 aborted', { cause: error });
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
