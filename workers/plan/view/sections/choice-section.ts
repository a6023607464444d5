import { defined } from '../../../exact/defined.ts';
import type { StepDocument } from '../../../exact/plan-schema.ts';
import { maxActions } from '../../bounds/run-bounds.ts';
import { numbersOf } from '../../bounds/step-ranges.ts';
import { boundNumber } from '../../bounds/total.ts';
import { claimsOfRun, claimsOfStep, conjunctsOf } from '../../claims.ts';
import { effectsOf, referencesIn } from '../../expressions.ts';
import { onePerPart, rootOf, spokenPart } from '../../language/parts.ts';
import type { Expression } from '../../language/terms.ts';
import { scaleOf } from '../../language/types.ts';
import { equatesEvidence } from '../../lint/equates-evidence.ts';
import { looseArguments } from '../../lint/free-arguments.ts';
import type { Plan, Predecessor, Step, Tool } from '../../plan.ts';
import { walkWithRanges } from '../../walk-ranges.ts';
import type { ViewedPlan } from '../parts/viewed-plan.ts';
import { describeAmount } from '../words/amount.ts';
import { code, listed } from '../words/escape.ts';
import { inWords } from '../words/expression-words.ts';
import { conjunctsOf as jsonConjunctsOf, operandsOf, operatorOf } from '../words/json-expression.ts';
import { timesInWords } from '../words/type-words.ts';
import { overlapsInWords } from './step-section.ts';
import { partInWords, tiedValues } from './tied-values.ts';

/**
 * What the agent may do how often, with which tool, and the arguments whose value it chooses. What an act is about that moves no
 * money is listed as well; of the others, the section about money says it. Then what the agent reports and nobody confirms.
 */
export function choiceLines(viewed: ViewedPlan): readonly string[] {
  const { plan, document } = viewed;
  const steps = plan.steps.flatMap((step, index) => {
    const { effect, ref } = step.tool;
    const about = effect === 'revenue_write' ? [] : tiedValues(step, plan, effect === 'none');
    const order = [
      ...step.after.map(afterBriefly),
      ...(step.overlaps.size > 0 ? [overlapsInWords([...step.overlaps])] : []),
    ];
    const free = onePerPart(looseArguments(step, plan)).map((name) =>
      choiceInWords(step, name, defined(document.steps[index]), viewed),
    );
    const chosen =
      free.length > 0
        ? ` **the agent chooses** ${listed(free)}`
        : effect === 'revenue_write'
          ? ' arguments as above'
          : '';
    const colon = chosen === '' && about.length === 0 ? '' : ':';
    const tool = `${code(ref)}${isDescribedHere(step, viewed) ? ', **described in this plan**' : ''}`;
    return [
      `- ${[code(step.stepId), timesInWords(step.min, maxActions(step, plan)), `by ${tool}`, ...order].join(', ')}${colon}${chosen}`,
      ...about.map((line) => `  - ${line}`),
    ];
  });
  return [...steps, ...believedLines(plan)];
}

/** Whether the plan describes the tool of a step itself. */
export const isDescribedHere = ({ tool }: Step, { document }: Pick<ViewedPlan, 'document'>): boolean =>
  document.tools.some((one) => !('sha256' in one) && `${one.name}@${one.version}` === tool.ref);

const afterBriefly = ({ stepId, atLeast }: Predecessor): string =>
  atLeast === 0 ? `after all of ${code(stepId)} that are done` : `after ${atLeast} of ${code(stepId)}`;

/** What conditions and rules believe of the responses of other steps. */
const believedLines = (plan: Plan): readonly string[] =>
  plan.steps.flatMap((step) => {
    const fields = onePerPart(readFields(step, plan).filter((field) => !isConfirmed(step, field)));
    const shown = fields.map((field) => `${code(spokenPart(field))}${placeOf(step, field)}`);
    return fields.length === 0
      ? []
      : [`- **what the agent reports of ${code(step.stepId)}** is believed: ${listed(shown)}`];
  });

/** Fields of a step's responses that rules, sheets or states read. Conditions of steps do not look at other actions. */
function readFields(step: Step, plan: Plan): readonly string[] {
  const fields = new Set<string>();
  const ofStep = [...effectsOf(step), ...effectsOf(step.tool), ...claimsOfStep(step, plan)];
  walkWithRanges(ofStep, (node) => {
    if (node.op === 'reference' && node.scope === 'resp') fields.add(node.name);
  });
  const rules: readonly Expression[] = claimsOfRun(plan).map(({ expression }) => expression);
  walkWithRanges(rules, (node, ranges) => {
    if (node.op === 'part' && node.part === 'resp' && ranges.get(node.binder)?.name === step.stepId)
      fields.add(node.name);
  });
  return [...fields];
}

/** Whether the service computes a field without the response, or required evidence has it. */
function isConfirmed({ tool, evidence }: Step, field: string): boolean {
  if (tool.replay === 'pure') return true;
  if (tool.replay === 'effects' && [...tool.observe].some(([state, own]) => own === field && isComputed(state, tool)))
    return true;
  const required = evidence.filter(({ min }) => min > 0).flatMap(({ binds }) => binds);
  const binds = required.flatMap(({ expression }) => conjunctsOf(expression));
  return binds.some((bind) => equatesEvidence(bind, ({ scope, name }) => scope === 'resp' && name === field));
}

/** Whether a state does not merely repeat the response by which it is observed. */
const isComputed = (state: string, { effects }: Tool): boolean => {
  const effect = effects.get(state);
  return effect === undefined || referencesIn(effect).every(({ scope }) => scope !== 'resp');
};

/** Where the tool's answer has a field, if its own name does not say so. */
function placeOf({ tool }: Step, field: string): string {
  const root = rootOf(field);
  const { at } = defined(tool.answers.get(root));
  return at === `/${root}` ? '' : ` at ${code(at)}`;
}

/** A free argument, with the bounds of a number, or what it is compared with. */
function choiceInWords(step: Step, name: string, { where }: StepDocument, { plan, document }: ViewedPlan): string {
  const number = numbersOf(step).find((one) => one.scope === 'arg' && one.name === name);
  const bounds: string[] = [];
  if (number?.type.type === 'int' || number?.type.type === 'decimal') {
    const { min, each } = boundNumber(step, number, plan);
    const scale = scaleOf(number.type);
    if (min !== undefined) bounds.push(`at least ${describeAmount(min, scale)}`);
    if (each !== undefined) bounds.push(`at most ${describeAmount(each, scale)}`);
  } else {
    for (const condition of where.flatMap(({ expr }) => jsonConjunctsOf(expr))) {
      const words = SIDES.get(operatorOf(condition) ?? '');
      const [left, right] = operandsOf(condition) ?? [];
      if (words === undefined) continue;
      if (isArgument(left, name)) bounds.push(`${words[0]} ${inWords(right, document)}`);
      else if (isArgument(right, name)) bounds.push(`${words[1]} ${inWords(left, document)}`);
    }
  }
  return `${partInWords(step, name)}${bounds.length === 0 ? '' : ` (${listed(bounds)})`}`;
}

/** How a comparison bounds its left and its right side, such as a time. */
const SIDES: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['<', ['below', 'above']],
  ['<=', ['at most', 'at least']],
  ['>', ['above', 'below']],
  ['>=', ['at least', 'at most']],
]);

const isArgument = (expr: unknown, name: string): boolean => operandsOf(expr, 'arg')?.join(' ') === name;
