import type { Z3_ast, Z3_context, Z3_model, Z3Core } from 'z3-solver';
import { SmtError, type SmtFraction, type SmtModel, type SmtQuery } from '../decide/smt-solver.ts';
import type { Checked } from './context.ts';
import type { Sort } from './sorts.ts';

const FRACTION = /^(-?[0-9]+)(?:\/([1-9][0-9]*))?$/;

/** The values of all constants. A constant that the assertions leave open has some value, always the same. */
export function readModel(
  api: Z3Core,
  context: Z3_context,
  checked: Checked,
  model: Z3_model,
  constants: SmtQuery['constants'],
): SmtModel {
  const sorts = { Int: api.mk_int_sort, Real: api.mk_real_sort, Bool: api.mk_bool_sort } as const;
  return new Map(
    [...constants].map(([symbol, sort]) => {
      const name = checked(api.mk_string_symbol(context, symbol));
      const constant = checked(api.mk_const(context, name, checked(sorts[sort](context))));
      const value = checked(api.model_eval(context, model, constant, true));
      if (value === null) throw new SmtError('the model has no value for a constant');
      return [symbol, readValue(api, context, checked, value, sort)];
    }),
  );
}

function readValue(api: Z3Core, context: Z3_context, checked: Checked, value: Z3_ast, sort: Sort) {
  if (sort === 'Bool') {
    const truth = checked(api.get_bool_value(context, value));
    if (truth === 0) throw new SmtError('a value of the model is not a truth value');
    return truth > 0;
  }
  if (!checked(api.is_numeral_ast(context, value))) throw new SmtError('a value of the model is not a fraction');
  return toFraction(checked(api.get_numeral_string(context, value)));
}

/** @throws {SmtError} if the numeral is an algebraic number, such as the root of 2 */
export function toFraction(numeral: string): SmtFraction {
  const match = FRACTION.exec(numeral);
  if (match === null) throw new SmtError('a value of the model is not a fraction');
  // An integer is written without a denominator.
  const [, numerator, denominator = '1'] = match;
  if (numerator === undefined) throw new SmtError('a value of the model is not a fraction');
  return { numerator: BigInt(numerator), denominator: BigInt(denominator) };
}
