import { MAX_BINDERS, MAX_VARIABLES } from '../../exact/bounds.ts';
import { DocumentError } from '../../exact/document-error.ts';
import type { Operand, Typed } from './operands.ts';
import type { Scoped } from './terms.ts';
import type { ValueType } from './types.ts';

export interface Scope {
  /** Types of the names that an expression may refer to. */
  readonly names: Scoped<ValueType>;
  /** Steps that an expression may aggregate over, with the names of one action. */
  readonly steps?: ReadonlyMap<string, Scoped<ValueType>>;
  /** What expressions of plans can also refer to. Undefined in sheets. */
  readonly relations?: RelationScope;
}

export interface RelationScope {
  readonly tables: ReadonlyMap<string, TableTypes>;
  /** The maps before the action, or at the end of the run. */
  readonly maps: { readonly at: 'state' | 'final'; readonly types: ReadonlyMap<string, MapTypes> } | undefined;
  /** Whether `["started"]` and `["ended"]` of the action itself are known. */
  readonly hasOwnTimes: boolean;
  /** Whether facts about the run are known. */
  readonly hasRunFacts: boolean;
  /** How many nodes the rules of a plan about lists may still have, written out. */
  readonly room: Room;
}

interface Room {
  nodes: number;
}

/** Most nodes of all rules of a plan about lists, written out for each element. */
const MAX_IN_PLAN = 100_000;
export const createRoom = (): Room => ({ nodes: MAX_IN_PLAN });

/** Takes nodes from the room of a plan. @throws {DocumentError} TOO_LARGE */
export function spendRoom(nodes: number, { relations }: Site, path: string): void {
  if (relations === undefined) return;
  relations.room.nodes -= nodes;
  if (relations.room.nodes >= 0) return;
  const message = `makes the rules of the plan about lists more than ${MAX_IN_PLAN} nodes, written out for each element: let the catalogue say shorter lists, or ask less of them`;
  throw new DocumentError('TOO_LARGE', path, message);
}

export interface TableTypes {
  readonly key: readonly string[];
  readonly columns: ReadonlyMap<string, ValueType>;
}

export interface MapTypes {
  readonly key: ValueType;
  readonly value: ValueType;
}

/** What is known of an element that an aggregate binds. */
export type BoundTypes =
  | { readonly kind: 'step'; readonly names: Scoped<ValueType> }
  | { readonly kind: 'table'; readonly columns: ReadonlyMap<string, ValueType> }
  | ListTypes;

/** An element of a list. */
export interface ListTypes {
  readonly kind: 'item';
  /** The names of an element. A value alone is called ''. */
  readonly names: ReadonlyMap<string, ValueType>;
}

/** Whether one more aggregate would nest too deep. Those over lists are written out, so they are counted by themselves. */
export function isTooDeep(bound: ReadonlyMap<string, BoundTypes>, { kind }: BoundTypes): boolean {
  const alike = [...bound.values()].filter((other) => (other.kind === 'item') === (kind === 'item'));
  return alike.length >= MAX_BINDERS;
}

/** The state of reading an expression. `referred` has each name that was met. */
export interface Site extends Scope {
  readonly referred: Set<string>;
  readonly bound: ReadonlyMap<string, BoundTypes>;
  /** Reads a part of the expression. */
  readonly read: (json: unknown, path: string, site: Site) => Operand;
}

export type Reader = (args: readonly unknown[], path: string, site: Site) => Typed;

export function checkArity(args: readonly unknown[], [min, max]: readonly [number, number], path: string): void {
  if (args.length >= min && args.length <= max) return;
  const wanted = min === max ? `${min}` : `${min} or more`;
  throw new DocumentError('WRONG_ARITY', path, `has ${args.length} operands, and ${wanted} are required`);
}

export function onlyText(args: readonly unknown[], path: string): string {
  checkArity(args, [1, 1], path);
  return textAt(args, 0, path);
}

/** An operand that is a name. */
export function textAt(args: readonly unknown[], index: number, path: string): string {
  const text = args[index];
  if (typeof text === 'string') return text;
  throw new DocumentError('MALFORMED_EXPRESSION', `${path}/${index + 1}`, 'is not a string');
}

/** Counts a name that an expression refers to. @throws {DocumentError} TOO_MANY_VARIABLES */
export function countName(name: string, { referred }: Site, path: string): void {
  referred.add(name);
  if (referred.size <= MAX_VARIABLES) return;
  const message = `refers to more than ${MAX_VARIABLES} names with those before it`;
  throw new DocumentError('TOO_MANY_VARIABLES', path, message);
}
