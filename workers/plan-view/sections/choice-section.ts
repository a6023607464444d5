import type { StepDocument } from '../../exact/plan-schema.ts';
import { describeAmount } from '../bounds/amount.ts';
import { boundNumber } from '../bounds/bound-number.ts';
import { mostActions } from '../bounds/counts.ts';
import { rangeOf } from '../bounds/step-ranges.ts';
import { isNumber, looseArguments } from '../lint/free-arguments.ts';
import { code, listed } from '../markdown/escape.ts';
import { argumentOf, conjunctsOf, equatesEvidence, operandsOf, operatorOf, walk } from '../parts/expression.ts';
import { conditionsOf, fieldsOf, ownTool, type PlanParts, rulesOf } from '../parts/plan-parts.ts';
import { inWords as expressionInWords } from '../words/expression-words.ts';
import { timesInWords } from '../words/type-words.ts';
import { overlapsInWords } from './step-section.ts';
import { tiedValues } from './tied-values.ts';

/**
 * What the agent may do how often, with which tool, and the arguments whose value it chooses. What an act is about that moves no
 * money is listed as well; of the others, the section about money says it. Then what the agent reports and nobody confirms.
 */
export function choiceLines(parts: PlanParts): readonly string[] {
  const steps = parts.plan.steps.flatMap((step) => {
    const effect = fieldsOf(parts.tools.get(step.tool)).get('effect');
    const about = effect === 'revenue_write' ? [] : tiedValues(step, parts, effect === 'none');
    const order = [...step.after.map(afterBriefly), ...(step.overlaps ? [overlapsInWords(step.overlaps)] : [])];
    const chosen = choices(step, parts) ?? (about.length === 0 ? 'arguments as above' : '');
    const tool = `${code(step.tool)}${ownTool(step, parts) ? ', **described in this plan**' : ''}`;
    return [
      `- ${[code(step.step_id), timesInWords(step.min, mostActions(step, parts)), `by ${tool}`, ...order].join(', ')}: ${chosen}`.trimEnd(),
      ...about.map((line) => `  - ${line}`),
    ];
  });
  return [...steps, ...believedLines(parts)];
}

function afterBriefly({ step, at_least }: StepDocument['after'][number]): string {
  if (at_least === 0) return `after all of ${code(step)}`;
  return `after ${at_least} of ${code(step)}`;
}

/** Undefined if the agent chooses nothing. */
function choices(step: StepDocument, parts: PlanParts): string | undefined {
  if (!parts.tools.has(step.tool)) return '**anything**: its tool is not described here';
  const free = looseArguments(step, parts);
  return free.length === 0
    ? undefined
    : `**the agent chooses** ${listed(free.map((name) => inWords(step, name, parts)))}`;
}

/** What conditions and rules believe of the responses of other steps. */
function believedLines(parts: PlanParts): readonly string[] {
  return parts.plan.steps.flatMap((step) => {
    const fields = readFields(step, parts).filter((field) => !isConfirmed(step, field, parts));
    const shown = fields.map((field) => `${code(field)}${placeOf(step, field, parts)}`);
    return fields.length === 0
      ? []
      : [`- **what the agent reports of ${code(step.step_id)}** is believed: ${listed(shown)}`];
  });
}

/** Fields of a step's responses that rules or states read. */
function readFields({ step_id, tool, effects }: StepDocument, parts: PlanParts): readonly string[] {
  const fields = new Set<string>();
  walk([effects, parts.tools.get(tool)?.effects], (part) => {
    const [field, ...others] = operandsOf(part, 'resp') ?? [];
    if (typeof field === 'string' && others.length === 0) fields.add(field);
  });
  // Conditions of steps do not look at other actions.
  walk(rulesOf(parts), (part) => {
    const [range, binder, ...bodies] = Array.isArray(part) ? part.slice(1) : [];
    if (range !== step_id || typeof binder !== 'string') return;
    walk(bodies, (inner) => {
      const [bound, field] = operandsOf(inner, 'resp') ?? [];
      if (bound === binder && typeof field === 'string') fields.add(field);
    });
  });
  return [...fields];
}

/** Whether the service computes a field, or required evidence has it. */
function isConfirmed({ tool, evidence }: StepDocument, field: string, { tools }: PlanParts): boolean {
  const description = tools.get(tool);
  if (description?.replay === 'pure') return true;
  if (description?.replay === 'effects' && Object.values(description.observe).includes(field)) return true;
  const binds = evidence
    .filter(({ min }) => min > 0)
    .flatMap((kind) => kind.binds.flatMap(({ expr }) => conjunctsOf(expr)));
  return binds.some((bind) => equatesEvidence(bind, ([of, name]) => of === 'resp' && name === field));
}

/** Where the tool's answer has a field, if its own name does not say so. */
function placeOf({ tool }: StepDocument, field: string, { tools }: PlanParts): string {
  const at = fieldsOf(fieldsOf(tools.get(tool)?.responds).get(field)).get('at');
  return typeof at !== 'string' || at === `/${field}` ? '' : ` at ${code(at)}`;
}

/** A free argument, with the bounds of a number, or what it is compared with. */
function inWords(step: StepDocument, name: string, parts: PlanParts): string {
  const { least } = rangeOf(step, ['arg', name], parts);
  const { each: greatest } = boundNumber(step, ['arg', name], parts);
  const bounds = [
    ...(least === undefined ? [] : [`at least ${describeAmount(least)}`]),
    ...(greatest === undefined ? [] : [`at most ${describeAmount(greatest)}`]),
    ...(isNumber(step, name, parts) ? [] : comparisons(step, name, parts)),
  ];
  return `${code(name)}${bounds.length === 0 ? '' : ` (${listed(bounds)})`}`;
}

const SIDES = new Map([
  ['<', ['below', 'above']],
  ['<=', ['at most', 'at least']],
  ['>', ['above', 'below']],
  ['>=', ['at least', 'at most']],
]);

/** What conditions compare an argument with, such as a time. */
function comparisons(step: StepDocument, name: string, parts: PlanParts): readonly string[] {
  return conditionsOf(step, parts).flatMap((condition) => {
    const words = SIDES.get(operatorOf(condition) ?? '');
    const [left, right] = operandsOf(condition) ?? [];
    if (words === undefined) return [];
    if (argumentOf(left) === name) return [`${words[0]} ${expressionInWords(right, parts.plan)}`];
    return argumentOf(right) === name ? [`${words[1]} ${expressionInWords(left, parts.plan)}`] : [];
  });
}
