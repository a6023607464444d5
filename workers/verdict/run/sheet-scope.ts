import { referencesIn } from '../../plan/expressions.ts';
import type { Expression, Term } from '../../plan/language/terms.ts';
import { definedness, type Outcome, termOf } from '../elaborate/kleene.ts';
import type { Scope } from '../elaborate/scope.ts';

export interface SheetScope {
  readonly scope: Scope;
  /** The conditions under which every variable is defined that an expression of the sheet mentions. */
  readonly definedFor: (expression: Expression) => readonly Term[];
}

/** The variables of a sheet as terms. */
export function bindSheet(bound: ReadonlyMap<string, Outcome>, scope: Scope): SheetScope {
  const vars = new Map([...bound].map(([name, outcome]) => [name, termOf(outcome)]));
  return {
    scope: { ...scope, names: { var: vars }, memo: new Map() },
    definedFor: (expression) =>
      referencesIn(expression).flatMap(({ name }) => {
        const outcome = bound.get(name);
        return (outcome && definedness(outcome)) ?? [];
      }),
  };
}
