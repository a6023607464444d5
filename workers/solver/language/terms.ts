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

interface Choice<Operand> {
  readonly op: 'ite';
  readonly condition: Operand;
  readonly whenTrue: Operand;
  readonly whenFalse: Operand;
}

/** `by` is never 0 for div and mod. Both are Euclidean: the remainder is in [0, |by|). */
interface ByLiteral<Operand> {
  readonly op: '*' | 'div' | 'mod';
  readonly arg: Operand;
  readonly by: bigint;
}

type Ordered = '<' | '<=' | 'min' | 'max';

/**
 * The operators of the language's kernel, by which those of documents are expressed. Scales are aligned when an
 * expression is read, so numbers are plain integers here, and each operator means the same in BigInt and in SMT-LIB's
 * theory Ints.
 */
export type Operation<Operand> =
  | Negation<Operand>
  | Nary<Operand>
  | Binary<'=', Operand>
  | Binary<Ordered, Operand>
  | Choice<Operand>
  | ByLiteral<Operand>;

/** The members of `Operation` are repeated: TypeScript refuses to resolve that alias over itself. */
type Node<Leaf> =
  | Leaf
  | Literal
  | Negation<Node<Leaf>>
  | Nary<Node<Leaf>>
  | Binary<'=', Node<Leaf>>
  | Binary<Ordered, Node<Leaf>>
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
}

export interface Aggregate {
  readonly op: 'sum' | 'count' | 'forall' | 'exists';
  readonly step: string;
  readonly body: Expression;
}

/** An expression of a document, over the names of scopes and the actions of steps. */
export type Expression = Node<Reference | Aggregate>;
/** An expression about one run, over variables alone. */
export type Term = Node<Variable>;

export const literal = (value: Value): Literal => ({ op: 'literal', value });
export const variable = (key: string): Variable => ({ op: 'variable', key });
