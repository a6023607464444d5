import type { StepDocument } from '../../exact/plan-schema.ts';
import { describeAmount } from '../bounds/amount.ts';
import { boundNumber } from '../bounds/bound-number.ts';
import { rangeOf } from '../bounds/step-ranges.ts';
import { looseArguments } from '../lint/free-arguments.ts';
import { code, listed } from '../markdown/escape.ts';
import { operandsOf, walk } from '../parts/expression.ts';
import { conditionsOf, fieldsOf, isReported, type PlanParts } from '../parts/plan-parts.ts';
import { timesInWords } from '../words/type-words.ts';
import { afterInWords } from './step-section.ts';
import { tiedValues } from './tied-values.ts';

/**
 * What the agent may do how often, with which tool, and the arguments whose value it chooses. What an act is about that moves no
 * money is listed as well; of the others, the section about money says it. A step that only reads is left out where the agent
 * chooses nothing: what it chooses goes to the tool.
 */
export function choiceLines(parts: PlanParts): readonly string[] {
  return parts.plan.steps.flatMap((step) => {
    const effect = fieldsOf(parts.tools.get(step.tool)).get('effect');
    const free = looseArguments(step, parts);
    if (effect === 'none' && free.length === 0) return [];
    const about = effect === 'write' ? tiedValues(step, parts) : [];
    const order = step.after.map((before) => `, ${afterInWords(before)}`).join('');
    return [
      `- ${code(step.step_id)}, ${timesInWords(step.min, step.max)}, by ${code(step.tool)}${order}: ${choices(step, free, parts)}`,
      ...about.map((line) => `  - ${line}`),
    ];
  });
}

function choices(step: StepDocument, free: readonly string[], parts: PlanParts): string {
  if (!parts.tools.has(step.tool)) return '**anything**: its tool is not described here';
  if (free.length > 0) return `**the agent chooses** ${listed(free.map((name) => inWords(step, name, parts)))}`;
  const reporting = reportingSteps(step, parts);
  const through =
    reporting.length === 0 ? '' : `, **some to what the agent reports of ${listed(reporting.map(code))}**`;
  return `every argument is tied${through}`;
}

/** Steps without evidence whose responses conditions compare with: the agent writes these responses. */
function reportingSteps(step: StepDocument, parts: PlanParts): readonly string[] {
  const ranges = new Set<string>();
  walk(conditionsOf(step, parts), (part) => {
    const [range, binder, body] = operandsOf(part, 'exists', 'forall') ?? [];
    if (typeof range !== 'string') return;
    walk(body, (inner) => {
      if (operandsOf(inner, 'resp')?.[0] === binder) ranges.add(range);
    });
  });
  return parts.plan.steps
    .filter((other) => {
      const isBelieved = isReported(other, parts) && other.evidence.length === 0;
      return ranges.has(other.step_id) && other.step_id !== step.step_id && isBelieved;
    })
    .map(({ step_id }) => step_id);
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
