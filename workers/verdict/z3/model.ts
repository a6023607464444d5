import type { Z3_ast, Z3_context, Z3_model, Z3Core } from 'z3-solver';
import { SmtError, type SmtModel, type SmtQuery } from '../decide/smt-solver.ts';
import type { Checked } from './context.ts';
import type { Sort } from './sorts.ts';

const INTEGER = /^-?[0-9]+$/;

/** The values of all constants. A constant that the assertions leave open has some value, always the same. */
export function readModel(
  api: Z3Core,
  context: Z3_context,
  checked: Checked,
  model: Z3_model,
  constants: SmtQuery['constants'],
): SmtModel {
  const sorts = { Int: api.mk_int_sort, Bool: api.mk_bool_sort } as const;
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
  const numeral = checked(api.is_numeral_ast(context, value)) ? checked(api.get_numeral_string(context, value)) : '';
  if (!INTEGER.test(numeral)) throw new SmtError('a value of the model is not an integer');
  return BigInt(numeral);
}
