import type { Claim } from '../decide/verdict.ts';
import { type Environment, expand } from '../language/expand.ts';
import type { Term } from '../language/terms.ts';
import type { Plan, SheetUse } from '../plan/plan.ts';
import type { RunModel, RunSlot } from './run-builder.ts';

/**
 * The rules of the sheets that a plan uses. A variable of a sheet stands for what the plan binds to it, which must be
 * within the bounds of its type. Ids of rules: `/sheets/0/within`, `/sheets/0/bind/cap` (bounds), and of each action that
 * was done `/actions/1/sheets/0/within`.
 * @throws {LanguageError} TOO_MANY_NODES
 */
export function sheetRules(plan: Plan, model: RunModel): readonly Claim[] {
  return plan.sheets.flatMap((use, index) => rulesOfUse(use, `/sheets/${index}`, model));
}

export function rulesOfUse(use: SheetUse, path: string, model: RunModel): readonly Claim[] {
  const { slots, constants, final, spend } = model;
  if (use.stepId === undefined) return rulesOf(use, path, { names: { var: constants, final }, slots }, spend);
  const own = slots.filter(({ step }) => step === use.stepId);
  const ofSlot = (slot: RunSlot, at: string) =>
    rulesOf(use, at, { names: slot.names }, spend).map(({ id, term }) => ({ id, term: whenPresent(slot, term) }));
  const open = new Map<string, Term[]>();
  const claims: Claim[] = [];
  for (const slot of own) {
    spend(4 * (use.sheet.bounds.length + use.sheet.rules.length));
    if (slot.index !== undefined) claims.push(...ofSlot(slot, `/actions/${slot.index}${path}`));
    else for (const { id, term } of ofSlot(slot, path)) open.set(id, [...(open.get(id) ?? []), term]);
  }
  return [...claims, ...[...open].map(([id, args]): Claim => ({ id, term: { op: 'and', args } }))];
}

function rulesOf(
  { sheet, bind }: SheetUse,
  path: string,
  environment: Environment,
  spend: RunModel['spend'],
): readonly Claim[] {
  const bound = new Map([...bind].map(([name, expression]) => [name, expand(expression, environment, spend)]));
  const names = { var: bound };
  const claim = (id: string, expression: SheetUse['sheet']['rules'][number]['expression']): Claim => {
    return { id, term: expand(expression, { names }, spend) };
  };
  return [
    ...sheet.rules.map(({ id, expression }) => claim(`${path}/${id}`, expression)),
    ...sheet.bounds.map(({ id, expression }) => claim(`${path}/bind/${id}`, expression)),
  ];
}

const whenPresent = ({ present }: RunSlot, term: Term): Term => ({
  op: 'or',
  args: [{ op: 'not', arg: present }, term],
});
