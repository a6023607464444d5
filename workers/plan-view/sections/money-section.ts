import type { StepDocument } from '../../exact/plan-schema.ts';
import { describeAmount, type Limit, total } from '../bounds/amount.ts';
import type { NumberBound } from '../bounds/bound-number.ts';
import { mostActions } from '../bounds/counts.ts';
import { listedValues } from '../bounds/listed-values.ts';
import { moneyOf, otherNumbers } from '../bounds/money.ts';
import { code, listed, plural } from '../markdown/escape.ts';
import { fieldsOf, isReported, type PlanParts } from '../parts/plan-parts.ts';
import { tiedValues } from './tied-values.ts';

/** "at most **50.00 EUR**", or "**no limit**". */
function mostOf(limit: Limit, currency?: string): string {
  if (limit === undefined) return '**no limit**';
  return `at most **${describeAmount(limit)}${currency === undefined ? '' : ` ${currency}`}**`;
}

/** What money can move at most, and to whom. */
export function moneyLines(parts: PlanParts): readonly string[] {
  const { plan } = parts;
  const unknown = plan.steps.filter(({ tool }) => !parts.tools.has(tool));
  const moving = plan.steps.filter(({ tool }) => fieldsOf(parts.tools.get(tool)).get('effect') === 'revenue_write');
  const missing = unknown.map(
    ({ step_id, tool }) =>
      `- The tool ${code(tool)} of ${code(step_id)} is not described here, so what it moves has **no limit**.`,
  );
  if (moving.length === 0 && missing.length === 0) return ['No step moves money.'];
  const lines = moving.flatMap((step) => {
    const money = moneyOf(step, parts);
    const open = [...new Set(money?.flatMap((bound) => bound.open))];
    return [
      `- Step ${code(step.step_id)}, at most ${plural(mostActions(step, parts), 'time')}${reported(step, parts)}:`,
      ...(money?.map((bound) => numberLine(bound, bound.currency)) ?? [
        '  - the catalogue does not say what money its tool moves, so it has **no limit**',
      ]),
      ...open.map((name) => `  - ${code(name)} says the currency or the unit, and **has no one value in this plan**`),
      ...otherLines(step, money !== undefined, parts),
    ];
  });
  return [...lines, ...missing, '', `In all: ${totalInWords(parts)} in one run.${executions(parts)}`];
}

/** The arguments that are no money. Numbers whose values the plan lists, such as accounts, have no sum. */
function otherLines(step: StepDocument, isDescribed: boolean, parts: PlanParts): readonly string[] {
  const numbers = otherNumbers(step, parts);
  const summed = numbers.filter(({ part: [, name] }) => !isDescribed || listedValues(step, name, parts) === undefined);
  const money = new Set(moneyOf(step, parts)?.map(({ part }) => part[1]));
  const without = new Set([...money, ...summed.map(({ part }) => part[1])]);
  return [
    ...summed.map((bound) => numberLine(bound)),
    ...tiedValues(step, parts, false, without).map((line) => `  - ${line}`),
  ];
}

const reported = (step: StepDocument, parts: PlanParts): string =>
  isReported(step, parts) ? ', responses as the agent reports them' : '';

const numberLine = ({ part: [of, name], each, all, isNonNegative, reason }: NumberBound, currency?: string): string =>
  `  - ${code(of === 'arg' ? name : `response.${name}`)}: in one action ${mostOf(each, currency)}, in a run ${mostOf(all, currency)} (${reason})${isNonNegative ? '' : '; **it may be negative**'}${of === 'arg' ? '' : '; **known only after the act**'}`;

/** Sums by currency. What is not described, or has no one currency, has no limit. */
function totalInWords(parts: PlanParts): string {
  const limits = new Map<string, Limit[]>();
  for (const step of parts.plan.steps) {
    const effect = fieldsOf(parts.tools.get(step.tool)).get('effect');
    if (effect !== undefined && effect !== 'revenue_write') continue;
    const money = moneyOf(step, parts);
    if (money === undefined) return mostOf(undefined);
    for (const { currency, all } of money) {
      if (currency === undefined) return mostOf(undefined);
      limits.set(currency, [...(limits.get(currency) ?? []), all]);
    }
  }
  const totals = [...limits].map(([currency, each]) => ({ currency, limit: total(each) }));
  if (totals.every(({ limit }) => limit === undefined)) return mostOf(undefined);
  return listed(
    totals.map(({ currency, limit }) =>
      limit === undefined ? `${mostOf(limit)} of ${currency}` : mostOf(limit, currency),
    ),
  );
}

const executions = ({ plan }: PlanParts): string =>
  plan.max_executions === 1
    ? ''
    : ` The approval covers ${plan.max_executions} runs, so all of this up to ${plan.max_executions} times.`;
