/** An assertion of an SMT-LIB 2.6 script, by a generated name: nothing of a caller's ever reaches the solver as a name. */
export interface SmtAssertion {
  readonly name: string;
  /** A term of sort Bool over the declared constants. */
  readonly term: string;
}

export interface SmtQuery {
  /** Sorts of the constants, by generated symbol: Int, Real or Bool. */
  readonly constants: ReadonlyMap<string, 'Int' | 'Real' | 'Bool'>;
  readonly assertions: readonly SmtAssertion[];
  /** Steps that the solver may take: the same on every machine, unlike time. */
  readonly rlimit: number;
}

/** `rlimitUsed`: steps taken. `script`: SHA-256 of the SMT-LIB text that was decided, in hex. */
export type SmtAnswer = { readonly rlimitUsed: number; readonly script: string } & (
  | { readonly status: 'sat'; readonly model: SmtModel }
  | {
      readonly status: 'unsat' /** Names of assertions that contradict each other. */;
      readonly core: readonly string[];
    }
  | { readonly status: 'unknown'; readonly reason: string }
);

/** A value for each constant: Int and Real as exact fractions. */
export type SmtModel = ReadonlyMap<string, boolean | SmtFraction>;

export interface SmtFraction {
  readonly numerator: bigint;
  /** Positive. */
  readonly denominator: bigint;
}

/** Decides queries, each from scratch: no answer depends on what was asked before. @throws {SmtError} */
export interface SmtSolver {
  check(query: SmtQuery): SmtAnswer;
}

/** The solver did not take the query as it was meant; there is no answer, and no verdict may be drawn from it. */
export class SmtError extends Error {
  override readonly name: string = 'SmtError';
}

/** The query has more text than the solver is given: nobody's fault, and no answer. */
export class SmtSizeError extends SmtError {
  override readonly name = 'SmtSizeError';
}
