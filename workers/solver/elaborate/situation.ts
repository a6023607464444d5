import type { Formula } from '../decide/problem.ts';
import type { SpendNodes } from '../language/expand.ts';
import type { Expression, Scoped, Term } from '../language/terms.ts';
import type { ValueType } from '../language/types.ts';
import type { Value } from '../language/values.ts';
import type { Table, TableRow } from '../plan/plan.ts';
import type { Outcome } from './kleene.ts';
import type { RunMap } from './run-map.ts';

/** An element that an aggregate ranges over. */
export type Element = ActionElement | RowElement | EntryElement;

export interface ActionElement {
  readonly kind: 'action';
  /** Its place in the run. */
  readonly position: number;
  readonly arg: ReadonlyMap<string, Term>;
  readonly resp: ReadonlyMap<string, Term>;
  readonly started: Term;
  readonly ended: Term;
}

export interface RowElement {
  readonly kind: 'row';
  readonly table: Table;
  readonly row: TableRow;
}

export interface EntryElement {
  readonly kind: 'entry';
  readonly key: Term;
  readonly value: Term;
  /** Whether no later change has the same key. Undefined if that is certain. */
  readonly isLast: Term | undefined;
}

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

/** What all expressions of one problem share. */
export interface Session {
  readonly tables: ReadonlyMap<string, Table>;
  readonly run: RunFacts;
  /** Types of open variables. */
  readonly variables: Map<string, ValueType>;
  /** What intermediate results are equal to. */
  readonly facts: Formula[];
  readonly spend: SpendNodes;
  readonly elements: Map<Table, readonly Element[]>;
  readonly indexes: WeakMap<readonly Element[], Map<Expression, Index>>;
}

/** What the names of an expression stand for. */
export interface Situation {
  readonly session: Session;
  readonly names: Scoped<Term>;
  /** When the action itself began and ended. */
  readonly own: { readonly started: Term; readonly ended: Term } | undefined;
  /** Before the action, or at the end of the run. */
  readonly maps: ReadonlyMap<string, RunMap>;
  readonly actions: ReadonlyMap<string, readonly ActionElement[]>;
  readonly bound: ReadonlyMap<string, Element>;
  /** Outcomes of inner aggregates, by the parts of outer elements that they depend on. */
  readonly memo: Map<Expression, Map<string, Outcome>>;
}
