import type { ValueType } from '../../language/types.ts';
import type { Constant } from '../../plan.ts';
import type { StateType } from '../../read/read-state.ts';

export type TypesByName = ReadonlyMap<string, ValueType>;

export interface TableNames {
  readonly key: readonly string[];
  readonly columns: TypesByName;
}

/** What is known about the actions of a step. */
export interface ActionNames {
  readonly args: TypesByName;
  readonly response: TypesByName;
}

/** Where an expression is written. */
export type Place = 'where' | 'effects' | 'post' | 'evidence' | 'rules' | 'sheets';

/** The names that an expression may use. A part that is missing cannot be used at its place. */
export interface Scope {
  readonly place: Place;
  readonly args?: TypesByName;
  readonly response?: TypesByName;
  /** Fields of the evidence, by the name of its kind. */
  readonly evidence?: { readonly kind: string; readonly fields: TypesByName };
  readonly state?: { readonly word: 'state' | 'final'; readonly types: ReadonlyMap<string, StateType> };
  /** Constants of the plan. */
  readonly given: ReadonlyMap<string, Constant>;
  /** Names of given values that were written out as factors. */
  readonly factors: Set<string>;
  readonly tables: ReadonlyMap<string, TableNames>;
  /** Steps that an expression may range over. */
  readonly steps?: ReadonlyMap<string, ActionNames>;
  /** Names that the plan writes with a fault, so that nothing is known about them: `pay`, `state.left`, `receipt.id`. */
  readonly faulty: ReadonlySet<string>;
  /** Steps that exist, for messages. */
  readonly stepNames: readonly string[];
  /** Whether the run's approval is known: `approved_at`, `approvals`, `approved_by`. */
  readonly hasRun: boolean;
  /** Whether the action's own times are known: `started_at`, `ended_at`. */
  readonly hasTimes: boolean;
}

/** What a name that a macro binds stands for. */
export type Binder =
  | ({ readonly kind: 'action'; readonly name: string } & ActionNames)
  | { readonly kind: 'row'; readonly name: string; readonly columns: TypesByName };

/** Names with a meaning of their own. Steps, tables and given values cannot have them. */
export const RESERVED: ReadonlySet<string> = new Set([
  'args',
  'response',
  'state',
  'started_at',
  'ended_at',
  'approved_at',
  'approvals',
]);
