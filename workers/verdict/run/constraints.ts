import { readsTimes, stepsIn } from '../../plan/expressions.ts';
import type { Expression, Term } from '../../plan/language/terms.ts';
import type { Plan, SheetUse } from '../../plan/plan.ts';
import type { Formula, Problem, Question } from '../decide/problem.ts';
import { definitely, elaborate } from '../elaborate/elaborate.ts';
import { all } from '../elaborate/kleene.ts';
import type { Scope } from '../elaborate/scope.ts';
import { idOf } from '../elaborate/why-broken.ts';
import { overRuns } from './earlier-runs.ts';
import type { PlannedRun } from './encoding-session.ts';
import { type PlacedAction, placed } from './placed-action.ts';
import { ruleOf } from './rule-of.ts';
import type { Schedule } from './schedules.ts';
import { bindSheet } from './sheet-scope.ts';
import { toProblem } from './to-problem.ts';
import { type Trace, traceRun, type Visit } from './trace.ts';

/** Most acts that a reason names. */
const MAX_NAMED = 3;

/** The problem whether a run obeys the rules of the plan and of its sheets, and its state stays within its types. */
export function constraintsProblem(
  { plan, actions, runContext }: PlannedRun,
  question: Question,
  assigned?: Schedule,
): Problem {
  const ofActions: Formula[] = [];
  const visit: Visit = (action, before) => ofActions.push(...rulesOfAction(plan, action, before));
  const trace = traceRun(plan, placed(actions), { runContext, assigned, visit });
  const rules = [...rulesAtEnd(plan, trace), ...ofActions, ...trace.bounds];
  return toProblem(trace.session, { question, rules, asks: 'values' });
}

/** Rules about the whole run, and over the runs. Ids: `/constraints/cap`, `/runs/budget`, `/sheets/0/within`, `/sheets/0/bind/cap`. */
export function rulesAtEnd(plan: Plan, { end }: Pick<Trace, 'end'>): readonly Formula[] {
  const written = plan.constraints.map(({ id, expression }) => ruleOf(`/constraints/${id}`, expression, end));
  const sheets = [...plan.sheets.entries()].flatMap(([index, use]) =>
    use.stepId === undefined ? rulesOf(use, `/sheets/${index}`, end) : [],
  );
  return [...written, ...rulesOverRuns(plan, end), ...sheets];
}

/** A reason names the last acts that the rule is over. */
function rulesOverRuns({ runs }: Plan, end: Scope): readonly Formula[] {
  if (runs.length === 0) return [];
  const scope = overRuns(end);
  return runs.map(({ id, expression }): Formula => {
    const rule = ruleOf(`/runs/${id}`, expression, scope);
    const fault = () => {
      const acts = [...stepsIn([expression])].flatMap((stepId) => scope.actions.get(stepId) ?? []).toReversed();
      const [shown, more] = [acts.slice(0, MAX_NAMED).map(idOf), acts.length - MAX_NAMED];
      const why = rule.fault?.();
      return why && `${why}, over ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    };
    return { ...rule, fault };
  });
}

/**
 * Rules of sheets for each action. Ids: `/actions/1/sheets/0/within`. Of an action whose times are open, also the conditions
 * that read times, which must hold at the same times as the rules: `/actions/1/where/soon`.
 */
export function rulesOfAction(plan: Plan, action: PlacedAction, before: Scope): readonly Formula[] {
  const { path, step, index, record } = action;
  const sheets = [...plan.sheets.entries()].flatMap(([use, sheet]) =>
    sheet.stepId === step.stepId ? rulesOf(sheet, `${path}/sheets/${use}`, before) : [],
  );
  // Of an action that is only assumed, whoever assumes it asks for all conditions.
  const timed =
    index === undefined || record !== undefined ? [] : step.where.filter((rule) => readsTimes(rule.expression));
  return [...sheets, ...timed.map(({ id, expression }) => ruleOf(`${path}/where/${id}`, expression, before))];
}

/** A sheet has no undefined values: a rule that depends on a binding is true only if the binding is defined. */
function rulesOf({ sheet, bind }: SheetUse, path: string, scope: Scope): readonly Formula[] {
  const bound = new Map([...bind].map(([name, expression]) => [name, elaborate(expression, scope)] as const));
  const inside = bindSheet(bound, scope);
  const rule = (id: string, expression: Expression): Formula => {
    const conditions: readonly Term[] = inside.definedFor(expression);
    return { id, term: all([...conditions, definitely(expression, inside.scope)]) };
  };
  return [
    ...sheet.rules.map(({ id, expression }) => rule(`${path}/${id}`, expression)),
    ...sheet.bounds.map(({ id, expression }) => rule(`${path}/bind/${id}`, expression)),
  ];
}
