import { isDeepStrictEqual } from 'node:util';
import type { PlanDocument, StepDocument } from '../../exact/plan-schema.ts';
import { moneyOf, otherNumbers } from '../bounds/money.ts';
import { conjunctsOf, equatesEvidence } from '../parts/expression.ts';
import { type Finding, fieldsOf, type PlanParts, readParts, type ViewContext } from '../parts/plan-parts.ts';
import { freeArguments } from './free-arguments.ts';
import { spellingDangers } from './spellings.ts';

/** Remarks that need no solver: steps without evidence, arguments that nothing ties, money that nothing limits, spellings. */
export function findDangers(
  plan: PlanDocument,
  context: Pick<ViewContext, 'tools' | 'tables' | 'sheets'>,
): readonly Finding[] {
  return dangersOf(readParts(plan, context));
}

/** What keeps the sum of an act's money from being limited. */
function amountDangers(step: StepDocument, path: string, parts: PlanParts): readonly Finding[] {
  const money = moneyOf(step, parts);
  const found: Finding[] = [];
  const say = (code: string, message: string) => found.push({ code, path, message });
  if (money === undefined) {
    say(
      'AMOUNT_NOT_DESCRIBED',
      `nothing says what money ${step.tool} moves: describe it in the catalogue, with amounts`,
    );
  }
  for (const { part, isNonNegative, all } of money ?? otherNumbers(step, parts)) {
    const name = `${part[0] === 'arg' ? 'args' : 'response'}.${part[1]}`;
    if (!isNonNegative) {
      say(
        'AMOUNT_MAY_BE_NEGATIVE',
        `${name} of ${step.step_id} may be negative, so that limits of sums can be evaded: add ${name} > 0`,
      );
    } else if (all === undefined) {
      say('AMOUNT_UNBOUNDED', `nothing limits the sum of ${name} of ${step.step_id}`);
    }
    if (part[0] === 'resp') {
      say('AMOUNT_KNOWN_LATE', `${name} of ${step.step_id} is known only after the act: a limit refutes the run then`);
    }
  }
  for (const argument of new Set(money?.flatMap(({ open }) => open))) {
    say('CURRENCY_OPEN', `args.${argument} of ${step.step_id} says the currency or the unit, and has no one value`);
  }
  return found;
}

/** Evidence that the act of another action would meet as well. Where money moves, the solver's lint looks at the identity. */
function evidenceDangers(
  { step_id, tool, evidence }: StepDocument,
  path: string,
  parts: PlanParts,
): readonly Finding[] {
  const description = parts.tools.get(tool);
  const required = evidence.filter(({ min }) => min > 0);
  const binds = required.flatMap((kind) => kind.binds.flatMap(({ expr }) => conjunctsOf(expr)));
  if (required.length === 0 || description === undefined) return [];
  if (description.effect === 'write') {
    if (binds.some((expr) => equatesEvidence(expr, ([of]) => of === 'arg' || of === 'resp'))) return [];
    const message = `no evidence of ${step_id} equals an argument or the response: that of another act passes`;
    return [{ code: 'EVIDENCE_NOT_BOUND', path, message }];
  }
  const amounts = 'amounts' in description ? description.amounts : undefined;
  return (amounts ?? []).flatMap(({ of: amount }) => {
    if (binds.some((expr) => equatesEvidence(expr, (part) => isDeepStrictEqual(part, amount)))) return [];
    const name = `${amount[0] === 'arg' ? 'args' : 'response'}.${amount[1]}`;
    return [{ code: 'EVIDENCE_WITHOUT_AMOUNT', path, message: `no evidence of ${step_id} equals ${name}` }];
  });
}

export function dangersOf(parts: PlanParts): readonly Finding[] {
  const ofSteps = parts.plan.steps.flatMap((step, index): Finding[] => {
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
    found.push(...evidenceDangers(step, `${path}/evidence`, parts));
    if (effect === 'write') return found;
    for (const name of freeArguments(step, parts)) {
      const message = `nothing says what ${name} of ${step.step_id} must be: the agent chooses it`;
      found.push({ code: 'ARGUMENT_FREE', path: `${path}/where`, message });
    }
    return [...found, ...amountDangers(step, `${path}/where`, parts)];
  });
  return [...ofSteps, ...spellingDangers(parts)];
}
