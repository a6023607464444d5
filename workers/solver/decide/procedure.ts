import type { Question } from './verdict.ts';

/** `facts`: values and facts. `rules`: all rules. `denial`: that not all rules hold. */
export type Part = 'facts' | 'rules' | 'denial';

/** A question to the solver: can this be, with every variable of its type? If not, that is the verdict. */
export interface Step {
  readonly premises: readonly Part[];
  readonly ifNot: 'vacuous' | 'invalid_input' | 'violated' | 'satisfied';
}

export interface Procedure {
  readonly steps: readonly Step[];
  /** The verdict if all of it can be. */
  readonly otherwise: 'underdetermined' | 'satisfied';
}

/**
 * Each step relies on those before: that facts and rules contradict each other means something only once neither does
 * so by itself. A rule is never a premise of its own check: the rules and their denial contradict each other whatever
 * the facts, so everything would be satisfied.
 */
const REFUTE: readonly Step[] = [
  { premises: ['rules'], ifNot: 'vacuous' },
  { premises: ['facts'], ifNot: 'invalid_input' },
  { premises: ['facts', 'rules'], ifNot: 'violated' },
];

export const PROCEDURES: Readonly<Record<Question, Procedure>> = {
  holds: {
    steps: [...REFUTE, { premises: ['facts', 'denial'], ifNot: 'satisfied' }],
    otherwise: 'underdetermined',
  },
  possible: { steps: REFUTE, otherwise: 'satisfied' },
};

/**
 * What is still to be asked where the evaluator finds that all facts and rules are true. The solver decides that by
 * itself, and what can be together can be apart: so the parts need not be asked for.
 */
export function stepsToConfirm(steps: readonly Step[]): readonly Step[] {
  const together = steps.find(({ ifNot }) => ifNot === 'violated');
  return steps.filter((step) => step === together || !step.premises.every((part) => together?.premises.includes(part)));
}
