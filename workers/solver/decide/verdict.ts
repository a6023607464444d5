import type { Term } from '../language/terms.ts';
import type { ValueType } from '../language/types.ts';
import type { Value } from '../language/values.ts';

/**
 * `holds`: do the rules hold, given the facts? `possible`: can what the facts leave open still be such that they do?
 */
export type Question = 'holds' | 'possible';

/** Something that is so (a fact), or that shall be (a rule). */
export interface Claim {
  readonly id: string;
  /** A truth value over the problem's variables. */
  readonly term: Term;
}

export interface Problem {
  readonly question: Question;
  /** Every variable, by its name in the caller's world. */
  readonly variables: ReadonlyMap<string, ValueType>;
  /** What is known of them, values of their types or not. */
  readonly values: ReadonlyMap<string, Value>;
  /** What else is known, for example how what is open depends on what is known. */
  readonly facts: readonly Claim[];
  readonly rules: readonly Claim[];
}

/** Values for the variables that the problem leaves open, as JSON has them, in the order of the problem. */
export type Witness = ReadonlyMap<string, string | boolean>;

/** Who decided: the evaluator and z3, each by itself and alike, or z3 alone. */
export type Engine = 'evaluator+z3' | 'z3';

/**
 * Only `satisfied` passes.
 *
 * - `satisfied`: the rules hold. `witness`, for `possible` alone: how.
 * - `violated`: they cannot. `core`: rules that the facts contradict, of which none can be left out; `broken`: every rule
 *   that the facts make false by itself.
 * - `underdetermined`: the facts leave it open. `holding`, `failing`: one way each.
 * - `invalid_input`: the facts in `core` (names of values, ids of facts) contradict each other or their types.
 * - `indeterminate`: the solver gave up.
 * - `engine_error`: it did not work as it should, or the engines disagree. A fault of ours.
 */
export type Verdict =
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
  | { readonly verdict: 'indeterminate' | 'engine_error'; readonly reason: string };

/** What the solver was asked, in order: for the pins that let anyone ask again. */
export interface SolverCheck {
  /** SHA-256 of the SMT-LIB text, in hex. */
  readonly script: string;
  readonly rlimitUsed: number;
  readonly status: 'sat' | 'unsat' | 'unknown';
}

export type Decision = Verdict & { readonly question: Question; readonly checks: readonly SolverCheck[] };
