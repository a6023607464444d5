import type { Finding } from '../finding.ts';

/** A stored plan, to be shown in words. Documents are JSON texts. */
export interface ViewTask {
  /** The plan as it was sent. */
  readonly plan: string;
  /** The plan that it supersedes. */
  readonly predecessor?: string;
  /** The plan with whose payees those of this one are compared, and which one it is, in words. */
  readonly compared?: { readonly plan: string; readonly which: string };
  /** Descriptions of the catalogue. */
  readonly tools: readonly string[];
  readonly sheets: readonly string[];
  readonly tables: readonly { readonly sha256: string; readonly text: string }[];
  /** What lint said when the plan was stored. */
  readonly lint: readonly Finding[];
}

export interface ViewAnswer {
  readonly markdown: string;
}
