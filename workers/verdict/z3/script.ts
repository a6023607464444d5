import { SmtError, type SmtQuery, SmtSizeError } from '../decide/smt-solver.ts';
import { checkTerm, SYMBOL } from './check-term.ts';

/** Characters of a script, which are all ASCII. */
const MAX_LENGTH = 1_048_576;
const MAX_RLIMIT = 2 ** 32 - 1;

/**
 * Writes a query as a script of SMT-LIB 2.6, which any solver of the standard accepts. `(get-model)` or
 * `(get-unsat-core)` after it asks for the model or the core.
 * @throws {SmtError} if a name or a term is malformed @throws {SmtSizeError} if the query is too large
 */
export function toScript(query: SmtQuery): string {
  checkQuery(query);
  return [
    '(set-option :produce-models true)',
    '(set-option :produce-unsat-cores true)',
    '(set-logic ALL)',
    ...[...query.constants].map(([symbol, sort]) => `(declare-const ${symbol} ${sort})`),
    ...query.assertions.map(({ name, term }) => `(assert (! ${term} :named ${name}))`),
    '(check-sat)',
    '',
  ].join('\n');
}

function checkQuery({ constants, assertions, rlimit }: SmtQuery): void {
  // For z3, 0 means no limit.
  if (!Number.isInteger(rlimit) || rlimit < 1 || rlimit > MAX_RLIMIT) throw new SmtError('the rlimit is out of range');
  let length = 0;
  for (const { term } of assertions) length += term.length;
  if (length > MAX_LENGTH) throw new SmtSizeError('the query is too large');
  const names = new Set(constants.keys());
  for (const { name } of assertions) {
    if (names.has(name)) throw new SmtError('a name occurs twice');
    names.add(name);
  }
  for (const name of names) if (!SYMBOL.test(name)) throw new SmtError('a name was not generated');
  for (const sort of constants.values()) {
    if (sort !== 'Int' && sort !== 'Bool') throw new SmtError('a constant has no sort');
  }
  for (const { term } of assertions) checkTerm(term, constants);
}
