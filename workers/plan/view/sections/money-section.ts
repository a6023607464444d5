import { defined } from '../../../exact/defined.ts';
import type { Limit } from '../../bounds/interval.ts';
import { listedValues } from '../../bounds/listed-values.ts';
import { type Amounts, type MoneyBound, moneyOf, otherNumbers } from '../../bounds/money.ts';
import { maxActions, maxActionsOfRuns } from '../../bounds/run-bounds.ts';
import type { NumberBound, Reason } from '../../bounds/total.ts';
import { spokenPart } from '../../language/parts.ts';
import { scaleOf } from '../../language/types.ts';
import type { Plan, Step } from '../../plan.ts';
import { describeAmount } from '../words/amount.ts';
import { code, listed, plural } from '../words/escape.ts';
import { tiedValues } from './tied-values.ts';

const NO_LIMIT = '**no limit**';

/** "at most **50.00 EUR**", or "**no limit**". */
function mostOf(limit: Limit, scale: number, currency?: string): string {
  if (limit === undefined) return NO_LIMIT;
  return `at most **${describeAmount(limit, scale)}${currency === undefined ? '' : ` ${currency}`}**`;
}

/** What money can move at most, and to whom. */
export function moneyLines(plan: Plan): readonly string[] {
  const moving = plan.steps.filter(({ tool }) => tool.effect === 'revenue_write');
  if (moving.length === 0) return ['No step moves money.'];
  const lines = moving.flatMap((step) => {
    const money = moneyOf(step, plan);
    const open = [...new Set(money?.flatMap((bound) => bound.open))];
    return [
      `- Step ${code(step.stepId)}, at most ${plural(maxActions(step, plan), 'time')}${reported(step)}:`,
      ...(money?.map((one) => numberLine(one.bound, one.amounts, one.currency)) ?? [
        `  - the catalogue does not say what money its tool moves, so it has ${NO_LIMIT}`,
      ]),
      ...open.map(
        (name) => `  - ${code(spokenPart(name))} says the currency or the unit, and **has no one value in this plan**`,
      ),
      ...otherLines(step, money, plan),
    ];
  });
  return [...lines, '', `In all: ${totalInWords('all', moving, plan)} in one run.${executions(moving, plan)}`];
}

/** The arguments that are no money. Numbers whose values the plan lists, such as accounts, have no sum. */
function otherLines(step: Step, money: readonly MoneyBound[] | undefined, plan: Plan): readonly string[] {
  const numbers = otherNumbers(step, plan);
  const summed = numbers.filter(
    ({ number }) => money === undefined || listedValues(step, number.name, plan) === undefined,
  );
  const shown = [...(money ?? []).map(({ bound }) => bound), ...summed].map(({ number }) => number);
  // A field of the response may have the name of an argument.
  const without = new Set(shown.flatMap(({ scope, name }) => (scope === 'arg' ? [name] : [])));
  return [
    ...summed.map((bound) => numberLine(bound, { ...bound, scale: scaleOf(bound.number.type) })),
    ...tiedValues(step, plan, false, without).map((line) => `  - ${line}`),
  ];
}

const reported = ({ tool }: Step): string =>
  tool.replay === 'recorded' ? ', responses as the agent reports them' : '';

function numberLine(
  { number, isNonNegative, reason }: NumberBound,
  { each, all, scale }: Amounts,
  currency?: string,
): string {
  const name = code(number.scope === 'arg' ? spokenPart(number.name) : `response.${spokenPart(number.name)}`);
  const why = isNonNegative ? reasonInWords(reason) : 'it may be negative, so a sum does not limit what moves';
  const notes = [
    isNonNegative ? '' : '; **it may be negative**',
    number.scope === 'arg' ? '' : '; **known only after the act**',
  ];
  return `  - ${name}: in one action ${mostOf(each, scale, currency)}, in a run ${mostOf(all, scale, currency)} (${why})${notes.join('')}`;
}

function reasonInWords(reason: Reason | undefined): string {
  switch (reason?.kind) {
    case undefined:
      return 'nothing limits it';
    case 'each':
      return `${reason.times} times the most of one action`;
    case 'rule':
      return reason.id === undefined ? 'a rule of a sheet' : `the rule ${code(reason.id)}`;
    case 'state':
      return `the limits of the state ${code(reason.name)}`;
    case 'map':
      return `the map ${code(reason.name)}, for each key`;
    case 'rows':
      return 'each row of its table is used at most once';
  }
}

/** Sums by currency. What is not described, or has no one currency, has no limit. */
function totalInWords(within: 'all' | 'runs', moving: readonly Step[], plan: Plan): string {
  const limits = new Map<string, Amounts[]>();
  for (const step of moving) {
    const money = moneyOf(step, plan);
    if (money === undefined) return NO_LIMIT;
    for (const { currency, amounts } of money) {
      if (currency === undefined) return NO_LIMIT;
      limits.set(currency, [...(limits.get(currency) ?? []), amounts]);
    }
  }
  const totals = [...limits].map(([currency, each]) => ({
    currency,
    ...totalOf(each.map((one) => ({ limit: one[within], scale: one.scale }))),
  }));
  if (totals.every(({ limit }) => limit === undefined)) return NO_LIMIT;
  return listed(
    totals.map(({ currency, limit, scale }) =>
      limit === undefined ? `${NO_LIMIT} of ${currency}` : mostOf(limit, scale, currency),
    ),
  );
}

interface Part {
  readonly limit: Limit;
  readonly scale: number;
}

/** The sum, at the largest scale. Undefined if a part has no limit. */
function totalOf(parts: readonly Part[]): Part {
  const scale = Math.max(...parts.map((part) => part.scale));
  if (parts.some(({ limit }) => limit === undefined)) return { limit: undefined, scale };
  const limit = parts.reduce((sum, part) => sum + defined(part.limit) * 10n ** BigInt(scale - part.scale), 0n);
  return { limit, scale };
}

function executions(moving: readonly Step[], plan: Plan): string {
  if (plan.maxExecutions === 1) return '';
  const actions = moving.reduce((sum, step) => sum + maxActionsOfRuns(step, plan), 0);
  return ` The approval covers ${plan.maxExecutions} runs: ${totalInWords('runs', moving, plan)} in all runs together, in at most ${plural(actions, 'action')}.`;
}
