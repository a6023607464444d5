import { defined } from '../../exact/defined.ts';
import { type MoneyBound, moneyOf, otherNumbers } from '../bounds/money.ts';
import type { StepNumber } from '../bounds/step-ranges.ts';
import type { NumberBound } from '../bounds/total.ts';
import { conjunctsOf } from '../claims.ts';
import type { Finding } from '../finding.ts';
import { spokenPart } from '../language/parts.ts';
import type { EvidenceKind, Plan, Step } from '../plan.ts';
import { equatesEvidence } from './equates-evidence.ts';
import { existsNotJoined } from './exists-not-joined.ts';
import { freeArguments } from './free-arguments.ts';
import { rulesForNothing } from './holds-for-nothing.ts';
import { spellingDangers } from './spellings.ts';

/**
 * Remarks that need no solver: steps without evidence, arguments that nothing ties, money that nothing limits, spellings, rules
 * that hold although what they ask for was not done.
 */
export function findDangers(plan: Plan): readonly Finding[] {
  const ofSteps = plan.steps.flatMap((step, index): readonly Finding[] => {
    if (step.tool.effect === 'none') return [];
    const path = `/steps/${index}`;
    const missing = {
      code: 'NO_EVIDENCE',
      path: `${path}/evidence`,
      message: `${step.stepId} writes, and asks for no evidence`,
    };
    const found = [...(requiredOf(step).length === 0 ? [missing] : []), ...evidenceDangers(step, `${path}/evidence`)];
    if (step.tool.effect === 'write') return found;
    const free = freeArguments(step, plan).map((name): Finding => {
      const message = `nothing says what ${name} of ${step.stepId} must be: the agent chooses it`;
      return { code: 'ARGUMENT_FREE', path: `${path}/where`, message };
    });
    return [...found, ...free, ...amountDangers(step, `${path}/where`, plan)];
  });
  return [...ofSteps, ...spellingDangers(plan), ...ruleDangers(plan), ...runRuleDangers(plan)];
}

const ruleDangers = (plan: Plan) => [...rulesForNothing(plan), ...existsNotJoined(plan)];

/** Of rules over the runs, beside what must hold in each run. */
function runRuleDangers({ constraints, runs, ...plan }: Plan): readonly Finding[] {
  if (runs.length === 0) return [];
  const paths = new Map(runs.map((_, index) => [`/constraints/${constraints.length + index}`, `/runs/${index}`]));
  return ruleDangers({ ...plan, constraints: [...constraints, ...runs], runs: [] }).flatMap((found) => {
    const path = paths.get(found.path);
    return path === undefined ? [] : [{ ...found, path }];
  });
}

const requiredOf = ({ evidence }: Step): readonly EvidenceKind[] => evidence.filter(({ min }) => min > 0);

/** What keeps the sum of an act's money from being limited. */
function amountDangers(step: Step, path: string, plan: Plan): readonly Finding[] {
  const money = moneyOf(step, plan);
  const found: Finding[] = [];
  const say = (code: string, message: string) => found.push({ code, path, message });
  if (money === undefined) {
    const message = `nothing says what money ${step.tool.ref} moves: describe it in the catalogue, with amounts`;
    say('AMOUNT_NOT_DESCRIBED', message);
  }
  for (const { number, isNonNegative, isUnlimited } of limitsIn(step, money, plan)) {
    const name = nameOf(number);
    if (!isNonNegative) {
      const message = `${name} of ${step.stepId} may be negative, so that limits of sums can be evaded: add ${name} > 0`;
      say('AMOUNT_MAY_BE_NEGATIVE', message);
    } else if (isUnlimited) {
      say('AMOUNT_UNBOUNDED', `nothing limits the sum of ${name} of ${step.stepId}`);
    }
    if (number.scope === 'resp') {
      say('AMOUNT_KNOWN_LATE', `${name} of ${step.stepId} is known only after the act: a limit refutes the run then`);
    }
  }
  for (const argument of new Set(money?.flatMap(({ open }) => open))) {
    say('CURRENCY_OPEN', `args.${argument} of ${step.stepId} says the currency or the unit, and has no one value`);
  }
  return found;
}

function limitsIn(step: Step, money: readonly MoneyBound[] | undefined, plan: Plan) {
  const asFound = ({ number, isNonNegative }: NumberBound, all: unknown) => ({
    number,
    isNonNegative,
    isUnlimited: all === undefined,
  });
  if (money === undefined) return otherNumbers(step, plan).map((bound) => asFound(bound, bound.all));
  return money.map(({ bound, amounts }) => asFound(bound, amounts.all));
}

/** Evidence that the act of another action would meet as well. Where money moves, the solver's lint looks at the identity. */
function evidenceDangers(step: Step, path: string): readonly Finding[] {
  const required = requiredOf(step);
  const binds = required.flatMap((kind) => kind.binds.flatMap(({ expression }) => conjunctsOf(expression)));
  if (required.length === 0) return [];
  if (step.tool.effect === 'write') {
    if (binds.some((bind) => equatesEvidence(bind, () => true))) return [];
    const message = `no evidence of ${step.stepId} equals an argument or the response: that of another act passes`;
    return [{ code: 'EVIDENCE_NOT_BOUND', path, message }];
  }
  return (step.tool.amounts ?? []).flatMap(({ of: [part, name] }) => {
    if (binds.some((bind) => equatesEvidence(bind, (other) => other.scope === part && other.name === name))) return [];
    const amount = nameOf({ scope: part === 'arg' ? 'arg' : 'resp', name: defined(name) });
    return [{ code: 'EVIDENCE_WITHOUT_AMOUNT', path, message: `no evidence of ${step.stepId} equals ${amount}` }];
  });
}

const nameOf = ({ scope, name }: Pick<StepNumber, 'scope' | 'name'>): string =>
  `${scope === 'arg' ? 'args' : 'response'}.${spokenPart(name)}`;
