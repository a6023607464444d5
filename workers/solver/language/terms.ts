import type { Value } from './values.ts';

/**
 * The language's kernel: what every written operator comes down to. Scales are aligned when an expression is read, so
 * that numbers are plain integers here, and each operator has one meaning in BigInt and in SMT-LIB's theory Ints.
 */
type Node<Leaf> =
  | Leaf
  | Literal
  | { readonly op: 'not'; readonly arg: Node<Leaf> }
  | { readonly op: 'and' | 'or' | '+'; readonly args: readonly Node<Leaf>[] }
  | { readonly op: '='; readonly left: Node<Leaf>; readonly right: Node<Leaf> }
  | { readonly op: '<' | '<=' | 'min' | 'max'; readonly left: Node<Leaf>; readonly right: Node<Leaf> }
  | {
      readonly op: 'ite';
      readonly condition: Node<Leaf>;
      readonly whenTrue: Node<Leaf>;
      readonly whenFalse: Node<Leaf>;
    }
  /** `by` is never 0 for div and mod, which are Euclidean: the remainder is in [0, |by|). */
  | { readonly op: '*' | 'div' | 'mod'; readonly arg: Node<Leaf>; readonly by: bigint };

export interface Literal {
  readonly op: 'literal';
  readonly value: Value;
}

/** A name of the caller's world, for example a JSON pointer to a value of the run. */
export interface Variable {
  readonly op: 'variable';
  readonly key: string;
}

/** What an expression is written about: an argument, a response, a variable of the plan … */
export const SCOPE_WORDS = ['arg', 'resp', 'state', 'ev', 'var', 'final'] as const;
export type ScopeWord = (typeof SCOPE_WORDS)[number];
/** Something for each name of each scope. */
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

/** As it was written: over the names of a scope and the actions of steps. */
export type Expression = Node<Reference | Aggregate>;
/** Of one run: over variables alone. */
export type Term = Node<Variable>;

export const literal = (value: Value): Literal => ({ op: 'literal', value });
export const variable = (key: string): Variable => ({ op: 'variable', key });
