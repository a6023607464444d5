import type { Term } from '../../plan/language/terms.ts';
import type { ValueType } from '../../plan/language/types.ts';
import type { Value } from '../../plan/language/values.ts';

/** `holds`: do the facts imply the rules? `possible`: can the rules still hold, given the facts? */
export type Question = 'holds' | 'possible';

/** A fact, which is true, or a rule, which must be true. */
export interface Formula {
  readonly id: string;
  /** Of sort bool, over the problem's variables. */
  readonly term: Term;
  /** What is wrong if it is broken. Undefined: what its id says. It is asked only then. */
  readonly fault?: () => string | undefined;
}

export interface Problem {
  readonly question: Question;
  /** Types of all variables, by the caller's names. */
  readonly variables: ReadonlyMap<string, ValueType>;
  /** Known values. They may be outside their types. */
  readonly values: ReadonlyMap<string, Value>;
  /** Other facts, for example how an open variable depends on known ones. */
  readonly facts: readonly Formula[];
  readonly rules: readonly Formula[];
  /**
   * How the solver is asked if nothing is open. By default twice: whether all formulas can have the truth that the
   * evaluator finds, and whether one can have another. `values`: once, for the truth of each.
   */
  readonly asks?: 'values';
}

/** Values of the open variables as JSON has them, in the order of the problem. */
export type Witness = ReadonlyMap<string, string | boolean>;

/** What decided: z3 alone, or the evaluator and z3 independently, with the same result. */
export type Engine = 'evaluator+z3' | 'z3';

/**
 * A verdict and the reasons for it. Only `satisfied` passes.
 *
 * - `satisfied`: the rules hold. `witness`, for `possible` alone: values with which they hold.
 * - `violated`: the rules cannot hold. `core`: rules that contradict the facts together, of which none can be left out.
 *   `broken`: every rule that the known values alone make false.
 * - `underdetermined`: the facts leave it open. `holding`, `failing`: values with which the rules hold, and do not.
 * - `invalid_input`: the facts in `core` (names of values, ids of facts) contradict each other or their types.
 * - `indeterminate`: the solver gave up. `path`: the rule or fact for which it did, if that is known.
 * - `engine_error`: the solver failed, or the engines disagree. This is a fault of the service.
 */
export type Conclusion =
  | { readonly verdict: 'satisfied'; readonly engine: Engine; readonly witness?: Witness }
  | {
      readonly verdict: 'violated';
      readonly engine: Engine;
      readonly core: readonly string[];
      readonly broken: readonly string[];
    }
  | {
      readonly verdict: 'underdetermined';
      readonly engine: Engine;
      readonly holding: Witness;
      readonly failing: Witness;
    }
  | { readonly verdict: 'invalid_input'; readonly engine: Engine; readonly core: readonly string[] }
  | { readonly verdict: 'indeterminate' | 'engine_error'; readonly reason: string; readonly path?: string };

/** A question to the solver. Proofs pin these, so that anyone can ask them again. */
export interface SolverCheck {
  /** SHA-256 of the SMT-LIB text, in hex. */
  readonly script: string;
  readonly rlimitUsed: number;
  readonly status: 'sat' | 'unsat' | 'unknown';
}

export type Decision = Conclusion & { readonly question: Question; readonly checks: readonly SolverCheck[] };
