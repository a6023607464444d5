import { LanguageError } from '../../exact/language-error.ts';
import { expand } from '../language/expand.ts';
import type { Plan, Step } from '../plan/plan.ts';
import { readPlan } from '../plan/read-plan.ts';
import { toFault } from './check-actions.ts';
import type { Fault, Linted } from './checked.ts';
import type { Judge } from './judge.ts';
import { judgeCompletion } from './judge-completion.ts';
import { type Judgement, malformed, ofPlan } from './judgement.ts';
import { lintPlan, lintVerdict } from './lint.ts';
import { BOOL, RunBuilder } from './run-builder.ts';
import { rulesOfUse } from './sheet-rules.ts';

/** Each costs a question to the solver. */
const MAX_REACHED = 8;

/**
 * Whether some run obeys a plan: `vacuous` says that none does. Lint names what is allowed but hardly meant.
 */
export function checkPlan(document: unknown, by: Judge, sheets: readonly string[] = []): Linted {
  let plan: Plan;
  try {
    plan = readPlan(document, sheets);
    assertExpandable(plan);
  } catch (error) {
    const fault = toFault(error);
    return { fault, judgement: malformed('possible', fault), lint: [] };
  }
  const judgement = judgeBeginning(plan, by);
  return { judgement, lint: [...lintPlan(plan), ...lintVerdict(judgement), ...lintReach(plan, judgement, by)] };
}

/** Writes a run out that is as long as the plan allows. @throws {LanguageError} where it grows too large */
function assertExpandable(plan: Plan): void {
  const builder = new RunBuilder(plan);
  for (const [index, step] of plan.steps.entries()) {
    within(`/steps/${index}`, () => {
      for (let number = 0; number < step.max; number++) addWritten(builder, step, `/steps/${index}/${number}`);
    });
  }
  for (const [index, { expression }] of plan.constraints.entries()) {
    const environment = { names: { var: builder.constants, final: builder.final }, slots: builder.slots };
    within(`/constraints/${index}/expr`, () => expand(expression, environment, builder.spend));
  }
  for (const [index, use] of plan.sheets.entries()) {
    within(`/sheets/${index}`, () => rulesOfUse(use, `/sheets/${index}`, builder));
  }
}

function addWritten(builder: RunBuilder, step: Step, path: string): void {
  const slot = builder.addSlot(step, { path, present: builder.variable(`${path}/present`, BOOL) });
  for (const { expression } of step.where) expand(expression, { names: slot.names }, builder.spend);
  builder.advance(path, [slot]);
}

function within(path: string, write: () => unknown): void {
  try {
    write();
  } catch (error) {
    if (error instanceof LanguageError) throw new LanguageError(error.code, path, error.message);
    throw error;
  }
}

function judgeBeginning(plan: Plan, by: Judge): Judgement {
  return ofPlan(judgeCompletion(plan, [], by));
}

/** Steps that the plan does not want, and that no run of it can have. */
function lintReach(plan: Plan, { verdict }: Judgement, by: Judge): readonly Fault[] {
  if (verdict !== 'satisfied') return [];
  return [...plan.steps.entries()]
    .filter(([, { min }]) => min === 0)
    .slice(0, MAX_REACHED)
    .flatMap(([index, step]) => {
      const steps = plan.steps.with(index, { ...step, min: 1 });
      const reached = judgeBeginning({ ...plan, steps }, by).verdict;
      if (reached !== 'vacuous') return [];
      return [
        { code: 'UNREACHABLE_STEP', path: `/steps/${index}`, message: 'no run that obeys the plan has this step' },
      ];
    });
}
