import type { Comparison } from './compare.ts';

export interface ScopeOptions {
  readonly pages: readonly string[];
  /** The folder of the pages. Undefined for the project's own fixtures. */
  readonly folder: string | undefined;
}

/** A value that is measured once. */
export interface Fact {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly atMost?: number;
}

/** A running scope: its comparisons, and a function that stops everything that it started. */
export interface RunningScope {
  readonly comparisons: readonly Comparison[];
  readonly facts?: readonly Fact[];
  readonly stop: () => Promise<void>;
}

export type Scope = (options: ScopeOptions) => Promise<RunningScope>;
