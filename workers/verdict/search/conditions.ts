import { claimsOfStep } from '../../plan/claims.ts';
import type { Expression } from '../../plan/language/terms.ts';
import { walkExpressions } from '../../plan/language/walk.ts';
import type { Plan, Step } from '../../plan/plan.ts';

/** What every action of a step must obey, as far as it is about the action alone. */
export const conditionsOf = (step: Step, plan: Plan): readonly Expression[] =>
  claimsOfStep(step, plan).filter(isAboutOneAction);

function isAboutOneAction(expression: Expression): boolean {
  let isAbout = true;
  walkExpressions([expression], (node) => {
    const isOfRun = 'range' in node ? node.range.kind === 'step' : node.op === 'precedes';
    const isAtEnd = (node.op === 'reference' && node.scope === 'final') || (node.op === 'at' && node.at === 'final');
    if (isOfRun || isAtEnd) isAbout = false;
  });
  return isAbout;
}

/** Whether the value of an expression follows from the state and these arguments of the action. */
export function followsFrom(expression: Expression, args: ReadonlyMap<string, unknown>): boolean {
  let follows = true;
  walkExpressions([expression], (node) => {
    if (node.op === 'own') follows = false;
    if (node.op !== 'reference') return;
    const names = [node.name, ...(node.needs ?? [])];
    if (node.scope === 'resp' || (node.scope === 'arg' && !names.every((name) => args.has(name)))) follows = false;
  });
  return follows;
}
