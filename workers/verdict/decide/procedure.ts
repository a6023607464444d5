import type { Question } from './problem.ts';

/** `facts`: the known values and the facts. `rules`: all rules. `denial`: the negation of all rules together. */
export type Part = 'facts' | 'rules' | 'denial';

interface Contradiction {
  readonly premises: readonly Part[];
  readonly verdict: 'invalid_input' | 'violated' | 'satisfied';
}

/** A question to the solver: can the premises be true together, with every variable of its type? If not: `verdict`. */
export interface Step extends Contradiction {
  /** Asked only if the premises contradict each other. If these premises already do, their verdict takes precedence. */
  readonly unless?: Contradiction;
}

export interface Procedure {
  readonly steps: readonly Step[];
  /** The verdict if the premises of every step can be true. */
  readonly otherwise: 'underdetermined' | 'satisfied';
}

/**
 * Facts and rules are asked about together first. If they can be true, one question was enough. If not, a second one tells
 * whether the facts alone contradict each other.
 */
const TOGETHER: Step = {
  premises: ['facts', 'rules'],
  verdict: 'violated',
  unless: { premises: ['facts'], verdict: 'invalid_input' },
};

/** Rules are never premises beside their denial: the two always contradict each other, so every run would be satisfied. */
export const PROCEDURES: Readonly<Record<Question, Procedure>> = {
  holds: {
    steps: [TOGETHER, { premises: ['facts', 'denial'], verdict: 'satisfied' }],
    otherwise: 'underdetermined',
  },
  possible: { steps: [TOGETHER], otherwise: 'satisfied' },
};
