import type { Question } from './verdict.ts';

/** `facts`: values and facts. `rules`: all rules. `denial`: that not all rules hold. */
export type Part = 'facts' | 'rules' | 'denial';

interface Contradiction {
  readonly premises: readonly Part[];
  readonly verdict: 'invalid_input' | 'violated' | 'satisfied';
}

/** A question to the solver: can the premises be true together, with every variable of its type? If not, `verdict`. */
export interface Step extends Contradiction {
  /** Asked only if the premises contradict each other. If these do so by themselves, their verdict goes first. */
  readonly unless?: Contradiction;
}

export interface Procedure {
  readonly steps: readonly Step[];
  /** The verdict if the premises of every step can be true. */
  readonly otherwise: 'underdetermined' | 'satisfied';
}

/**
 * Facts and rules together come first: where they can be true, nothing else has to be asked about them. Only where they
 * cannot, it is asked whether the facts contradict each other already.
 */
const TOGETHER: Step = {
  premises: ['facts', 'rules'],
  verdict: 'violated',
  unless: { premises: ['facts'], verdict: 'invalid_input' },
};

/**
 * A rule is never a premise of its own check: the rules and their denial contradict each other whatever the facts, so
 * everything would be satisfied.
 */
export const PROCEDURES: Readonly<Record<Question, Procedure>> = {
  holds: {
    steps: [TOGETHER, { premises: ['facts', 'denial'], verdict: 'satisfied' }],
    otherwise: 'underdetermined',
  },
  possible: { steps: [TOGETHER], otherwise: 'satisfied' },
};
