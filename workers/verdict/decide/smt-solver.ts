/** An assertion of an SMT-LIB 2.6 script. Its name is generated: no text of a caller reaches the solver as a name. */
export interface SmtAssertion {
  readonly name: string;
  /** A term of sort Bool over the declared constants. */
  readonly term: string;
}

export interface SmtQuery {
  /** Sorts of the constants, by generated symbol. */
  readonly constants: ReadonlyMap<string, 'Int' | 'Bool'>;
  readonly assertions: readonly SmtAssertion[];
  /** Most steps that the solver may take. Unlike a time, it is the same on every machine. */
  readonly rlimit: number;
}

/** `rlimitUsed`: the number of steps taken. `script`: SHA-256 of the SMT-LIB text that was decided, in hex. */
export type SmtAnswer = { readonly rlimitUsed: number; readonly script: string } & (
  | { readonly status: 'sat'; readonly model: SmtModel }
  /** `core`: names of assertions that contradict each other. */
  | { readonly status: 'unsat'; readonly core: readonly string[] }
  | { readonly status: 'unknown'; readonly reason: string }
);

/** The value of each constant. */
export type SmtModel = ReadonlyMap<string, boolean | bigint>;

/** Decides each query from scratch: no answer depends on an earlier query. @throws {SmtError} */
export interface SmtSolver {
  check(query: SmtQuery): SmtAnswer;
}

/** A solver and a limit for each of its checks. */
export interface BoundedSolver {
  readonly solver: SmtSolver;
  /** Most steps of one check. */
  readonly rlimit: number;
}

/** The solver refused or misread a query, or gave a wrong answer. No verdict may be based on it. */
export class SmtError extends Error {
  override readonly name: string = 'SmtError';
}

/** The query's text is longer than the solver accepts. This is not a fault of the solver. */
export class SmtSizeError extends SmtError {
  override readonly name = 'SmtSizeError';
}
