import type { Term } from '../../plan/language/terms.ts';
import type { Table, TableRow } from '../../plan/plan.ts';
import type { Span } from './order.ts';

/** An element that an aggregate ranges over. */
export type Element = ActionElement | RowElement;

export interface ActionElement {
  readonly kind: 'action';
  /** Its place in the run. */
  readonly position: number;
  readonly arg: ReadonlyMap<string, Term>;
  readonly resp: ReadonlyMap<string, Term>;
  readonly started: Term;
  readonly ended: Term;
  /** When it was done. Undefined if it is not done yet. */
  readonly span: Span | undefined;
}

export interface RowElement {
  readonly kind: 'row';
  readonly table: Table;
  readonly row: TableRow;
}
