import type { Judgement } from '../../../workers/verdict/run/judgement.ts';
import type { Pins, Verdict } from '../contract/answers.ts';

/** What the answers of the solver depend on, besides the task. */
export type SolverPins = Pins['solver'];

export interface RawPins {
  readonly npmVersion: string;
  readonly z3Version: string;
  readonly wasmSha256: string;
  readonly options: Readonly<Record<string, string | number>>;
  readonly seed: number;
  readonly rlimit: number;
}

export function toSolverPins({ npmVersion, z3Version, wasmSha256, options, seed, rlimit }: RawPins): SolverPins {
  return {
    package: `z3-solver@${npmVersion}`,
    version: z3Version,
    wasm_sha256: wasmSha256,
    options: Object.entries(options).map(([name, value]) => `${name}=${value}`),
    seed,
    rlimit,
  };
}

/** A judgement as it is answered. The pins have the queries of the solver. */
export function toVerdict({ verdict, question, reasons, core, engine }: Judgement): Verdict {
  return { verdict, question, reasons: [...reasons], core: [...core], engine };
}

export function toQueries(check: string, { checks }: Judgement): Pins['queries'] {
  return checks.map(({ script, rlimitUsed }) => ({ check, rlimit_used: rlimitUsed, smtlib_sha256: script }));
}
