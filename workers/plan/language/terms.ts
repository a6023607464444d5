import type { Sort, ValueType } from './types.ts';
import type { Value } from './values.ts';

interface Negation<Operand> {
  readonly op: 'not';
  readonly arg: Operand;
}

interface Nary<Operand> {
  readonly op: 'and' | 'or' | '+';
  readonly args: readonly Operand[];
}

interface Binary<Op, Operand> {
  readonly op: Op;
  readonly left: Operand;
  readonly right: Operand;
}

/** How the author of a document wrote a comparison, and of what sort its operands are. */
export interface Written {
  readonly operator: '==' | '<' | '<=' | '>' | '>=';
  readonly sort: Sort;
}

/** A comparison. `written`: in an expression of a document. */
export interface Comparison<Op, Operand> extends Binary<Op, Operand> {
  readonly written?: Written;
}

interface Choice<Operand> {
  readonly op: 'ite';
  readonly condition: Operand;
  readonly whenTrue: Operand;
  readonly whenFalse: Operand;
}

/** `by` is never 0 for div, which is Euclidean: the remainder is in [0, |by|). */
interface ByLiteral<Operand> {
  readonly op: '*' | 'div';
  readonly arg: Operand;
  readonly by: bigint;
}

type Ordered = '<' | '<=';
/** `times`: a product of two values that the run decides. */
type OfTwo = 'min' | 'max' | 'times';

/**
 * The operators of the language's kernel, by which those of documents are expressed. Scales are aligned when an
 * expression is read, so numbers are plain integers here, and each operator means the same in BigInt and in SMT-LIB's
 * theory Ints.
 */
export type Operation<Operand> =
  | Negation<Operand>
  | Nary<Operand>
  | Comparison<'=', Operand>
  | Comparison<Ordered, Operand>
  | Binary<OfTwo, Operand>
  | Choice<Operand>
  | ByLiteral<Operand>;

/** The members of `Operation` are repeated: TypeScript refuses to resolve that alias over itself. */
type Node<Leaf> =
  | Leaf
  | Literal
  | Negation<Node<Leaf>>
  | Nary<Node<Leaf>>
  | Comparison<'=', Node<Leaf>>
  | Comparison<Ordered, Node<Leaf>>
  | Binary<OfTwo, Node<Leaf>>
  | Choice<Node<Leaf>>
  | ByLiteral<Node<Leaf>>;

export interface Literal {
  readonly op: 'literal';
  readonly value: Value;
}

/** The key is the caller's, for example a JSON pointer to a value of the run. */
export interface Variable {
  readonly op: 'variable';
  readonly key: string;
}

/** Where a name belongs: arguments, responses, variables of the plan … */
export const SCOPE_WORDS = ['arg', 'resp', 'state', 'ev', 'var', 'final'] as const;
export type ScopeWord = (typeof SCOPE_WORDS)[number];
/** A `T` for each name of each scope. */
export type Scoped<T> = Readonly<Partial<Record<ScopeWord, ReadonlyMap<string, T>>>>;

export interface Reference {
  readonly op: 'reference';
  readonly scope: ScopeWord;
  readonly name: string;
  readonly needs?: Needs;
}

/** Names of truth values beside a name that must be true: otherwise it has no value. See `parts.ts`. */
type Needs = readonly string[];

/** What an aggregate ranges over: the actions of a step, or the rows of a table. */
export interface Range {
  readonly kind: 'step' | 'table';
  readonly name: string;
}

/** An aggregate over the elements of a range that meet a condition. `binder` names the element in value and condition. */
export interface Quantified {
  readonly op: 'all' | 'any' | 'number' | 'total' | 'least' | 'greatest';
  readonly range: Range;
  readonly binder: string;
  /** A truth value for `all` and `any`. Undefined for `number`. */
  readonly body: Expression | undefined;
  readonly condition: Expression | undefined;
}

/** Whether no two elements that meet the condition have all keys equal. */
export interface Unique {
  readonly op: 'unique';
  readonly range: Range;
  readonly binder: string;
  readonly keys: readonly Expression[];
  readonly condition: Expression | undefined;
}

/** A part of a bound element. `name`: of the argument, field or column, otherwise empty. */
export interface BoundPart {
  readonly op: 'part';
  readonly binder: string;
  /** `item`: of an element of a list. It is replaced when the aggregate over the list has been read. */
  readonly part: 'arg' | 'resp' | 'started' | 'ended' | 'outcome' | 'col' | 'item';
  readonly name: string;
  readonly type: ValueType;
  readonly needs?: Needs;
}

/** Whether one bound action comes before another in the run. */
export interface Precedes {
  readonly op: 'precedes';
  readonly first: string;
  readonly second: string;
}

/** Whether a table has a row with this key. */
export interface Membership {
  readonly op: 'in';
  readonly table: string;
  readonly keys: readonly Expression[];
}

/** A column of the row with this key. Undefined if there is none. */
export interface Lookup {
  readonly op: 'look';
  readonly table: string;
  readonly column: string;
  readonly keys: readonly Expression[];
  readonly type: ValueType;
}

/** The value of a map at a key. */
export interface AtKey {
  readonly op: 'at';
  readonly at: 'state' | 'final';
  readonly map: string;
  readonly key: Expression;
  readonly type: ValueType;
}

/** When the action itself began or ended, as it reports. */
export interface OwnTime {
  readonly op: 'own';
  readonly time: 'started' | 'ended';
}

/** A fact about the run: when it was approved, by how many, and whether a group is among the approvers. */
export type RunFact =
  | { readonly op: 'run'; readonly fact: 'approved_at' | 'approvals' }
  | { readonly op: 'approved_by'; readonly group: string };

export type Relation = Quantified | Unique | BoundPart | Precedes | Membership | Lookup | AtKey | OwnTime | RunFact;

/** An expression of a document, over the names of scopes and the actions of steps. */
export type Expression = Node<Reference | Relation>;
/** An expression about one run, over variables alone. */
export type Term = Node<Variable>;

export const literal = (value: Value): Literal => ({ op: 'literal', value });
export const variable = (key: string): Variable => ({ op: 'variable', key });
