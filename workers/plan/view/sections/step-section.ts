import { canonicalText } from '../../../exact/canonical-json.ts';
import type { PlanDocument, StepDocument } from '../../../exact/plan-schema.ts';
import type { PlanParts } from '../parts/viewed-plan.ts';
import { code, listed } from '../words/escape.ts';
import { inWords } from '../words/expression-words.ts';
import { fieldsOf } from '../words/json-expression.ts';
import { timesInWords, typeInWords } from '../words/type-words.ts';

const EFFECTS: ReadonlyMap<string, string> = new Map([
  ['none', 'reads only'],
  ['write', 'changes something outside'],
  ['revenue_write', '**moves money**'],
]);
const REPLAYS: ReadonlyMap<string, string> = new Map([
  ['pure', 'the service runs it again itself'],
  ['effects', 'its responses are compared with computed states'],
  ['recorded', 'its responses are believed as reported'],
]);

/** A step in words: how often, by which tool, under which conditions, with which evidence. */
export function stepLines(step: StepDocument, parts: PlanParts): readonly string[] {
  const tool = fieldsOf(parts.tools.get(step.tool));
  const context = parts.document;
  const effect = EFFECTS.get(String(tool.get('effect'))) ?? 'is not described in the catalogue given here';
  const replay = REPLAYS.get(String(tool.get('replay')));
  return [
    `- **Step ${code(step.step_id)}**, ${timesInWords(step.min, step.max)}, by the tool ${code(step.tool)}, which ${effect}${replay === undefined ? '' : `; ${replay}`}`,
    ...argumentLines(tool),
    ...responseLines(tool),
    ...step.where.map(({ expr }) => `  - only if ${inWords(expr, context)}`),
    ...step.after.map((before) => `  - ${afterInWords(before)}`),
    ...(step.overlaps === undefined ? [] : [`  - ${overlapsInWords(step.overlaps)}`]),
    ...ruleLines(tool.get('post'), context, 'the response must obey'),
    ...effectLines(step.effects, parts, 'by the plan (no tool observes it)'),
    ...effectLines(fieldsOf(tool.get('effects')), parts, 'by the tool'),
    ...limitLines(tool.get('limits')),
    ...evidenceLines(step, context),
  ];
}

/** What the description of a tool says, in words. */
export function toolLines(name: string, parts: PlanParts): readonly string[] {
  const tool = fieldsOf(parts.tools.get(name));
  return [
    `  - it ${EFFECTS.get(String(tool.get('effect'))) ?? 'is not described'}; ${REPLAYS.get(String(tool.get('replay'))) ?? ''}`,
    ...argumentLines(tool),
    ...responseLines(tool),
    ...ruleLines(tool.get('post'), parts.document, 'the response must obey'),
    ...effectLines(fieldsOf(tool.get('effects')), parts, 'by the tool'),
    ...limitLines(tool.get('limits')),
    ...(['identity', 'observe', 'amounts'] as const).flatMap((part) => {
      const value = tool.get(part);
      return value === undefined ? [] : [`  - ${part}: ${code(canonicalText(value))}`];
    }),
  ];
}

function argumentLines(tool: ReadonlyMap<string, unknown>): readonly string[] {
  const args = [...fieldsOf(tool.get('args'))].map(([name, type]) => `${code(name)} ${typeInWords(type)}`);
  return args.length === 0 ? [] : [`  - with ${listed(args)}`];
}

/** The fields of a response, and where they are in what the tool answers. */
function responseLines(tool: ReadonlyMap<string, unknown>): readonly string[] {
  const fields = [...fieldsOf(tool.get('responds'))].map(([name, type]) => {
    const at = fieldsOf(type).get('at');
    return `${code(name)} ${typeInWords(type, 'at')}${typeof at === 'string' ? ` at ${code(at)}` : ''}`;
  });
  return fields.length === 0 ? [] : [`  - it answers with ${listed(fields)}`];
}

/** With what an action may overlap, in words. */
export const overlapsInWords = (steps: readonly string[]): string =>
  `**at the same time as** actions of ${listed(steps.map(code))}, although they share a state`;

/** What must come before, in words. */
export function afterInWords({ step, at_least }: StepDocument['after'][number]): string {
  if (at_least === 0)
    return `never before an action of ${code(step)}: if ${code(step)} is done at all, it has ended first`;
  return `only after ${at_least === 1 ? 'an action' : `${at_least} actions`} of ${code(step)} ${at_least === 1 ? 'has' : 'have'} ended`;
}

function ruleLines(rules: unknown, context: PlanDocument, what: string): readonly string[] {
  if (!Array.isArray(rules)) return [];
  return rules.map((rule: unknown) => `  - ${what}: ${inWords(fieldsOf(rule).get('expr'), context)}`);
}

/** How effects change states, in words. */
export function effectLines(
  effects: Readonly<Record<string, unknown>> | ReadonlyMap<string, unknown>,
  { document: plan }: PlanParts,
  by: string,
): readonly string[] {
  const entries = effects instanceof Map ? [...effects] : Object.entries(effects);
  return entries.flatMap(([name, effect]) => {
    if (fieldsOf(plan.state[name]).get('type') !== 'map' || !Array.isArray(effect)) {
      return [`  - then ${code(name)} becomes ${inWords(effect, plan)}, ${by}`];
    }
    return effect.map((entry: unknown) => {
      const fields = fieldsOf(entry);
      return `  - then ${code(name)} of ${inWords(fields.get('key'), plan)} becomes ${inWords(fields.get('value'), plan)}, ${by}`;
    });
  });
}

/** The operator's limits, which hold across plans. */
function limitLines(limits: unknown): readonly string[] {
  if (!Array.isArray(limits)) return [];
  return limits.map((limit: unknown) => {
    const { of, per, within, most } = Object.fromEntries(fieldsOf(limit));
    const what = of === null ? 'acts' : `of ${code(String(of))}`;
    const each = per === null ? '' : ` for each ${code(String(per))}`;
    return `  - the operator allows at most ${code(String(most))} ${what}${each} per ${String(within)}, over all plans`;
  });
}

/** What is read from evidence, and where it is. */
export function readsInWords(reads: StepDocument['evidence'][number]['reads']): string {
  const fields = Object.entries(reads).map(
    ([name, json]) => `${code(name)} ${typeInWords(json, 'at')} at ${code(String(fieldsOf(json).get('at')))}`,
  );
  return `it reads ${listed(fields)}`;
}

function evidenceLines({ evidence }: StepDocument, context: PlanDocument): readonly string[] {
  if (evidence.length === 0) return ['  - **no evidence is asked for**'];
  return evidence.flatMap(({ kind, media_types, min, max, reads, binds }) => [
    `  - evidence ${code(kind)} (${listed(media_types.map(code), 'or')}), ${timesInWords(min, max)} for each action${min === 0 ? ', **so it may be missing**' : ''}`,
    ...(Object.keys(reads).length === 0 ? [] : [`    - ${readsInWords(reads)}`]),
    ...(binds.length === 0 ? ['    - **nothing is checked in it**'] : []),
    ...binds.map(({ expr }) => `    - where ${inWords(expr, context)}`),
  ]);
}
