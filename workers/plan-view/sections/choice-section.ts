import type { StepDocument } from '../../exact/plan-schema.ts';
import { describeAmount } from '../bounds/amount.ts';
import { boundNumber } from '../bounds/bound-number.ts';
import { rangeOf } from '../bounds/step-ranges.ts';
import { looseArguments } from '../lint/free-arguments.ts';
import { code, listed } from '../markdown/escape.ts';
import { fieldsOf, type PlanParts } from '../parts/plan-parts.ts';
import { timesInWords } from '../words/type-words.ts';

/** What the agent may do how often, and the arguments whose value it chooses. Steps that only read are left out. */
export function choiceLines(parts: PlanParts): readonly string[] {
  const acting = parts.plan.steps.filter(({ tool }) => fieldsOf(parts.tools.get(tool)).get('effect') !== 'none');
  return acting.map((step) => `- ${code(step.step_id)}, ${timesInWords(step.min, step.max)}: ${choices(step, parts)}`);
}

function choices(step: StepDocument, parts: PlanParts): string {
  if (!parts.tools.has(step.tool)) return '**anything**: its tool is not described here';
  const free = looseArguments(step, parts).map((name) => inWords(step, name, parts));
  return free.length === 0 ? 'every argument is tied by its conditions' : `**the agent chooses** ${listed(free)}`;
}

/** A free argument, with the bounds of a number. */
function inWords(step: StepDocument, name: string, parts: PlanParts): string {
  const { least } = rangeOf(step, ['arg', name], parts);
  const { each: greatest } = boundNumber(step, ['arg', name], parts);
  const bounds = [
    ...(least === undefined ? [] : [`at least ${describeAmount(least)}`]),
    ...(greatest === undefined ? [] : [`at most ${describeAmount(greatest)}`]),
  ];
  return `${code(name)}${bounds.length === 0 ? '' : ` (${listed(bounds)})`}`;
}
