import type { Term } from '../../plan/language/terms.ts';
import type { Table, TableRow } from '../../plan/plan.ts';
import type { Span } from './order.ts';

/** An element that an aggregate ranges over. */
export type Element = ActionElement | RowElement;

export interface ActionElement {
  readonly kind: 'action';
  /** Its place in the run. That of an act of an earlier run is below 0. */
  readonly position: number;
  /** Whether it was recorded with arguments that are not those of its tool: then it has no values. */
  readonly isMalformed?: boolean | undefined;
  /** What reasons call an act of an earlier run: `action 2 of run 1`. */
  readonly name?: string;
  readonly arg: ReadonlyMap<string, Term>;
  readonly resp: ReadonlyMap<string, Term>;
  readonly started: Term;
  readonly ended: Term;
  /** When it was done. Undefined if it is not done yet. */
  readonly span: Span | undefined;
  /** Whether it took effect. Undefined: it did, or will. */
  readonly tookEffect?: Term | undefined;
  /** As the agent reports it. Undefined: it is done, or will be. */
  readonly outcome?: Term;
  /** Whether another action counts for it: both are attempts of one act. */
  readonly isAttempt?: boolean | undefined;
}

/** Whether each element of a range counts as one act, and certainly took effect. */
export const areCertain = (elements: readonly Element[]): boolean =>
  elements.every((element) => element.kind === 'row' || (element.tookEffect === undefined && !element.isAttempt));

export interface RowElement {
  readonly kind: 'row';
  readonly table: Table;
  readonly row: TableRow;
}
