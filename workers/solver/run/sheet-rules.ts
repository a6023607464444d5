import type { Formula } from '../decide/problem.ts';
import { type Environment, expand } from '../language/expand.ts';
import type { Term } from '../language/terms.ts';
import type { Plan, SheetUse } from '../plan/plan.ts';
import { append } from './append.ts';
import type { RunModel, RunSlot } from './run-builder.ts';

/**
 * The rules of the sheets that a plan uses. A variable of a sheet stands for the expression that the plan binds to it, whose
 * value must be within the bounds of the variable's type. Ids of rules: `/sheets/0/within`, `/sheets/0/bind/cap` (bounds),
 * and for each action that was done `/actions/1/sheets/0/within`.
 * @throws {DocumentError} TOO_MANY_NODES
 */
export function sheetRules(plan: Plan, model: RunModel): readonly Formula[] {
  return plan.sheets.flatMap((use, index) => rulesOfUse(use, `/sheets/${index}`, model));
}

export function rulesOfUse(use: SheetUse, path: string, model: RunModel): readonly Formula[] {
  const { slots, constants, final, spend } = model;
  if (use.stepId === undefined) return rulesOf(use, path, { names: { var: constants, final }, slots }, spend);
  const own = slots.filter(({ step }) => step === use.stepId);
  const ofSlot = (slot: RunSlot, at: string) =>
    rulesOf(use, at, { names: slot.names }, spend).map(({ id, term }) => ({ id, term: whenPresent(slot, term) }));
  const open = new Map<string, Term[]>();
  const formulas: Formula[] = [];
  for (const slot of own) {
    spend(4 * (use.sheet.bounds.length + use.sheet.rules.length));
    if (slot.index !== undefined) formulas.push(...ofSlot(slot, `/actions/${slot.index}${path}`));
    else for (const { id, term } of ofSlot(slot, path)) append(open, id, term);
  }
  return [...formulas, ...[...open].map(([id, args]): Formula => ({ id, term: { op: 'and', args } }))];
}

function rulesOf(
  { sheet, bind }: SheetUse,
  path: string,
  environment: Environment,
  spend: RunModel['spend'],
): readonly Formula[] {
  const bound = new Map([...bind].map(([name, expression]) => [name, expand(expression, environment, spend)]));
  const names = { var: bound };
  const formula = (id: string, expression: SheetUse['sheet']['rules'][number]['expression']): Formula => {
    return { id, term: expand(expression, { names }, spend) };
  };
  return [
    ...sheet.rules.map(({ id, expression }) => formula(`${path}/${id}`, expression)),
    ...sheet.bounds.map(({ id, expression }) => formula(`${path}/bind/${id}`, expression)),
  ];
}

const whenPresent = ({ present }: RunSlot, term: Term): Term => ({
  op: 'or',
  args: [{ op: 'not', arg: present }, term],
});
