import type { SpendNodes } from '../../plan/language/expand.ts';
import type {
  AtKey,
  Expression,
  Lookup,
  Membership,
  Quantified,
  Scoped,
  Term,
  Unique,
} from '../../plan/language/terms.ts';
import type { ValueType } from '../../plan/language/types.ts';
import type { Value } from '../../plan/language/values.ts';
import type { Table } from '../../plan/plan.ts';
import type { Formula } from '../decide/problem.ts';
import type { ActionElement, Element } from './element.ts';
import type { Outcome } from './kleene.ts';
import type { RunMap } from './run-map.ts';

/** Elements by the value of an expression about each of them. */
export interface Index {
  readonly byValue: ReadonlyMap<Value, readonly Element[]>;
  /** Elements whose value is open or undefined. */
  readonly others: readonly Element[];
}

/** Facts about the run as a whole. */
export interface RunFacts {
  readonly approvedAt: Term;
  readonly approvals: Term;
  readonly approvedBy: (group: string) => Term;
}

/** When an action started and ended. `path`: of an action that is not done yet. */
export interface Timed {
  readonly path?: string;
  /** It starts then, or later. */
  readonly from?: Term | undefined;
  /** It starts then at the latest. */
  readonly until?: Term | undefined;
  readonly started: Term;
  readonly ended: Term;
}

/** What all expressions of one problem share. */
export interface EncodingSession {
  readonly tables: ReadonlyMap<string, Table>;
  readonly run: RunFacts;
  /** Types of open variables. */
  readonly variables: Map<string, ValueType>;
  /** The term of a value that is not known: a new variable. */
  readonly open: (key: string, type: ValueType) => Term;
  /** What intermediate results are equal to. */
  readonly facts: Formula[];
  /** The last moment at which an action may start, in microseconds. */
  readonly expiresAt: bigint;
  /** The times of the actions, in the order of the list. Empty if no expression reads any. */
  readonly times: Timed[];
  /** Whether some expression reads when an action ends, so that one that is not done may take long. */
  readonly usesEnds: boolean;
  readonly spend: SpendNodes;
  readonly elements: Map<Table, readonly Element[]>;
  readonly indexes: WeakMap<readonly Element[], Map<Expression, Index>>;
}

/** What the names of an expression stand for. */
export interface Scope {
  readonly session: EncodingSession;
  readonly names: Scoped<Term>;
  /** When the action itself began and ended. */
  readonly own: { readonly started: Term; readonly ended: Term } | undefined;
  /** Before the action, or at the end of the run. */
  readonly maps: ReadonlyMap<string, RunMap>;
  readonly actions: ReadonlyMap<string, readonly ActionElement[]>;
  /** Those of earlier runs of the plan, at the end of a run. */
  readonly earlier?: ReadonlyMap<string, readonly ActionElement[]>;
  readonly bound: ReadonlyMap<string, Element>;
  /** Outcomes of inner aggregates, by the parts of outer elements that they depend on. */
  readonly memo: Map<Expression, Map<string, Outcome>>;
  /** How to account for what is not written out, such as actions that may follow. Undefined if everything is. */
  readonly summarized?: SummarizedActions;
}

/** The scope as it is now. The state of a run changes in place. */
export const snapshotOf = ({ names, maps, ...rest }: Scope): Scope => ({
  ...rest,
  names: { ...names, ...(names.state && { state: new Map(names.state) }) },
  maps: new Map(Array.from(maps, ([name, map]) => [name, map.copy()])),
});

/** Answers with outcomes that may be any of those that are possible. */
export interface SummarizedActions {
  /** The outcome over more elements than those that it was computed from. */
  readonly over: (node: Quantified | Unique, known: Outcome, scope: Scope) => Outcome;
  /** The outcome of a look-up with an open key, or in a map that may change. Undefined: it can be written out. */
  readonly at: (node: Lookup | Membership | AtKey, scope: Scope, key: readonly Outcome[]) => Outcome | undefined;
}
