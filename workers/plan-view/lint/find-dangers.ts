import type { PlanDocument } from '../../exact/plan-schema.ts';
import { boundArgument, fieldsOf, numbersOf } from '../bounds/bound-argument.ts';
import { type Finding, type PlanParts, readParts, type ViewContext } from '../parts/plan-parts.ts';
import { freeArguments } from './free-arguments.ts';

/** Remarks that need no solver: steps without evidence, arguments that nothing ties, amounts that may be negative. */
export function findDangers(
  plan: PlanDocument,
  context: Pick<ViewContext, 'tools' | 'tables' | 'sheets'>,
): readonly Finding[] {
  return dangersOf(readParts(plan, context));
}

export function dangersOf(parts: PlanParts): readonly Finding[] {
  return parts.plan.steps.flatMap((step, index): Finding[] => {
    const effect = fieldsOf(parts.tools.get(step.tool)).get('effect');
    const path = `/steps/${index}`;
    if (effect !== 'write' && effect !== 'revenue_write') return [];
    const found: Finding[] = [];
    if (!step.evidence.some(({ min }) => min > 0)) {
      found.push({
        code: 'NO_EVIDENCE',
        path: `${path}/evidence`,
        message: `${step.step_id} writes, and asks for no evidence`,
      });
    }
    if (effect === 'write') return found;
    for (const name of freeArguments(step, parts)) {
      const message = `nothing says what ${name} of ${step.step_id} must be: the agent chooses it`;
      found.push({ code: 'ARGUMENT_FREE', path: `${path}/where`, message });
    }
    for (const name of numbersOf(step, parts)) {
      if (boundArgument(step, name, parts).isNonNegative) continue;
      const message = `${name} of ${step.step_id} may be negative, so that limits of sums can be evaded: add args.${name} > 0`;
      found.push({ code: 'AMOUNT_MAY_BE_NEGATIVE', path: `${path}/where`, message });
    }
    return found;
  });
}
