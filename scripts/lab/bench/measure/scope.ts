import type { Comparison } from './compare.ts';

export interface ScopeOptions {
  readonly pages: readonly string[];
  /** Where they were read from; the project's own fixtures by default. */
  readonly folder: string | undefined;
}

/** Something that is measured once. */
export interface Fact {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly atMost?: number;
}

/** A running scope: what it compares, and how to end what it started. */
export interface RunningScope {
  readonly comparisons: readonly Comparison[];
  readonly facts?: readonly Fact[];
  readonly stop: () => Promise<void>;
}

export type Scope = (options: ScopeOptions) => Promise<RunningScope>;
