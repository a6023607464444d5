import { createRoom, type RelationScope, type Scope, type TableTypes } from '../../language/site.ts';
import type { Scoped } from '../../language/terms.ts';
import type { ValueType } from '../../language/types.ts';
import type { Constant } from '../../plan.ts';
import { isMap, type StateType } from '../../read/read-state.ts';
import { typesOf } from '../../read/tool-parts.ts';

export type TypesByName = ReadonlyMap<string, ValueType>;

/** What the expressions of a text share. */
interface Shared {
  /** Constants of the plan. */
  readonly given: ReadonlyMap<string, Constant>;
  /** Names of given values that were written out as factors. */
  readonly factors: Set<string>;
  /** Names that the plan writes with a fault, so that nothing is known about them: `pay`, `state.left`, `receipt.id`. */
  readonly faulty: ReadonlySet<string>;
  /** Steps that exist, for messages. */
  readonly stepNames: readonly string[];
}

/** The names that an expression of a text may use. A part that is missing cannot be used at its place. */
export interface TextScope extends Scope, Shared {
  readonly relations: RelationScope;
  /** States and maps, in the order of the text. */
  readonly states: ReadonlyMap<string, StateType>;
  /** Why expressions at its place do not read states. */
  readonly withoutStates?: string;
  /** The kind of evidence whose fields are `names.ev`. */
  readonly evidence?: string;
}

interface ScopeParts extends Shared {
  readonly tables: ReadonlyMap<string, TableTypes>;
  readonly states: ReadonlyMap<string, StateType>;
}

/** The scope of expressions about one action, without its own names, or about the run as a whole. */
export function createScope(
  { tables, states, given, factors, faulty, stepNames }: ScopeParts,
  at: 'state' | 'final',
): TextScope {
  const all = [...states];
  const values = new Map(all.flatMap(([name, type]) => (isMap(type) ? [] : [[name, type] as const])));
  const maps = new Map(all.flatMap(([name, type]) => (isMap(type) ? [[name, type] as const] : [])));
  return {
    names: { var: typesOf(given), [at]: values },
    relations: {
      tables,
      maps: { at, types: maps },
      hasOwnTimes: at === 'state',
      hasRunFacts: true,
      room: createRoom(),
    },
    ...{ states, given, factors, faulty, stepNames },
  };
}

/** The scope with the names of an action. */
export const withNames = (scope: TextScope, names: Scoped<ValueType>): TextScope => ({
  ...scope,
  names: { ...scope.names, ...names },
});

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
