import { describeAmount, type Limit, total } from '../bounds/amount.ts';
import { boundArgument, fieldsOf, numbersOf } from '../bounds/bound-argument.ts';
import { freeArguments } from '../lint/free-arguments.ts';
import { code, listed, plural } from '../markdown/escape.ts';
import type { PlanParts } from '../parts/plan-parts.ts';

/** "at most **50.00**", or "**no limit**". */
const mostOf = (limit: Limit): string =>
  limit === undefined ? '**no limit**' : `at most **${describeAmount(limit)}**`;

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
  const totals: Limit[] = missing.map(() => undefined);
  const lines = moving.flatMap((step) => {
    const numbers = numbersOf(step, parts);
    const bounds = numbers.map((name) => boundArgument(step, name, parts));
    totals.push(...bounds.filter(({ argument }) => isDecimal(step.tool, argument, parts)).map(({ all }) => all));
    const amounts = bounds.map(
      ({ argument, each, all, isNonNegative, reason }) =>
        `  - ${code(argument)}: in one action ${mostOf(each)}, in a run ${mostOf(all)} (${reason})${isNonNegative ? '' : '; **it may be negative**'}`,
    );
    const free = freeArguments(step, parts);
    return [
      `- Step ${code(step.step_id)}, at most ${plural(step.max, 'time')}:`,
      ...(amounts.length === 0 ? ['  - the amount is not an argument, so it has **no limit** here'] : amounts),
      free.length === 0
        ? '  - every text among its arguments is tied to something: see its conditions'
        : `  - **the agent chooses freely**: ${listed(free.map(code))}`,
    ];
  });
  return [...lines, ...missing, '', `In all: ${mostOf(total(totals))} in one run.${executions(parts)}`];
}

function isDecimal(tool: string, argument: string, { tools }: PlanParts): boolean {
  return fieldsOf(fieldsOf(tools.get(tool)?.args).get(argument)).get('type') === 'decimal';
}

const executions = ({ plan }: PlanParts): string =>
  plan.max_executions === 1
    ? ' The approval covers one run.'
    : ` The approval covers ${plan.max_executions} runs, so all of this up to ${plan.max_executions} times.`;
