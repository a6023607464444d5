import type { Z3_ast, Z3_context, Z3_solver } from 'z3-solver';
import { type SmtAnswer, SmtError, type SmtQuery } from '../decide/smt-solver.ts';
import { type Checked, withContext } from './context.ts';
import { readModel } from './model.ts';
import type { Z3Module } from './module.ts';

export const SEED = 0;
export const SOLVER = 'Z3_mk_solver';
/**
 * z3's older simplex. With the default one (6), an rlimit does not bound the time: 40,000 steps took more than 8 s on some
 * systems of 256 integers. The older one takes 200,000 steps in one second.
 */
export const ARITHMETIC = 2;

type Result = SmtAnswer extends infer A ? (A extends SmtAnswer ? Omit<A, 'script' | 'rlimitUsed'> : never) : never;

interface Session extends Z3Module {
  readonly context: Z3_context;
  readonly checked: Checked;
  readonly solver: Z3_solver;
}

/** Solves a query. `peakBytes`: the most memory that z3 has held since it was loaded. @throws {SmtError} */
export function solve(module: Z3Module, query: SmtQuery, script: string) {
  return withContext(module, (context, checked) => {
    const { api, em } = module;
    const solver = checked(api.mk_solver(context));
    checked(api.solver_inc_ref(context, solver));
    const session = { ...module, context, checked, solver };
    setParameters(session, query.rlimit);
    // This is the text that is hashed. Named assertions are tracked, so that cores consist of names.
    checked(api.solver_from_string(context, solver, script));
    compareAssertions(session, query);
    // The package binds this function only asynchronously, on a thread of its own.
    const status = checked(em.ccall('Z3_solver_check', 'number', ['number', 'number'], [context, solver]));
    const result = readResult(session, query, status);
    return { ...readStatistics(session), ...result };
  });
}

function setParameters({ api, context, checked, solver }: Session, rlimit: number): void {
  const params = checked(api.mk_params(context));
  checked(api.params_inc_ref(context, params));
  for (const [name, value] of [
    ['random_seed', SEED],
    ['arith.solver', ARITHMETIC],
    ['rlimit', rlimit],
  ] as const) {
    checked(api.params_set_uint(context, params, checked(api.mk_string_symbol(context, name)), value));
  }
  checked(api.solver_set_params(context, solver, params));
}

/**
 * Checks that z3 holds `(=> name term)` for each assertion that was sent, in the same order. A solver that dropped
 * assertions would answer sat.
 */
function compareAssertions({ api, context, checked, solver }: Session, { assertions }: SmtQuery): void {
  const held = checked(api.solver_get_assertions(context, solver));
  checked(api.ast_vector_inc_ref(context, held));
  const count = checked(api.ast_vector_size(context, held));
  if (count !== assertions.length) throw new SmtError(`z3 holds ${count} of ${assertions.length} assertions`);
  for (const [index, { name }] of assertions.entries()) {
    const implication = checked(api.ast_vector_get(context, held, index));
    if (nameOf({ api, context, checked }, implication) !== '=>')
      throw new SmtError('z3 holds an assertion without a name');
    const premise = checked(api.get_app_arg(context, checked(api.to_app(context, implication)), 0));
    if (nameOf({ api, context, checked }, premise) !== name) throw new SmtError('z3 holds another assertion');
  }
}

function readResult(session: Session, query: SmtQuery, status: number): Result {
  const { api, context, checked, solver } = session;
  if (status > 0) {
    const model = checked(api.solver_get_model(context, solver));
    checked(api.model_inc_ref(context, model));
    return { status: 'sat', model: readModel(api, context, checked, model, query.constants) };
  }
  if (status < 0) return { status: 'unsat', core: readCore(session, query) };
  const reason = checked(api.solver_get_reason_unknown(context, solver));
  // Only the rlimit cancels a check: there is no timeout and no interrupt.
  return { status: 'unknown', reason: /^(?:canceled|max\. resource limit exceeded)$/.test(reason) ? 'rlimit' : reason };
}

/** The names in the core, in the order in which they were sent. */
function readCore(session: Session, { assertions }: SmtQuery): readonly string[] {
  const { api, context, checked, solver } = session;
  const vector = checked(api.solver_get_unsat_core(context, solver));
  checked(api.ast_vector_inc_ref(context, vector));
  const size = checked(api.ast_vector_size(context, vector));
  const core = new Set<string>();
  for (let index = 0; index < size; index++)
    core.add(nameOf(session, checked(api.ast_vector_get(context, vector, index))));
  const names = assertions.map(({ name }) => name).filter((name) => core.has(name));
  if (names.length < core.size) throw new SmtError('the core has a name that was not asserted');
  return names;
}

function readStatistics({ api, context, checked, solver }: Session) {
  const statistics = checked(api.solver_get_statistics(context, solver));
  checked(api.stats_inc_ref(context, statistics));
  const figures = new Map<string, number>();
  const size = checked(api.stats_size(context, statistics));
  for (let index = 0; index < size; index++) {
    const isUint = checked(api.stats_is_uint(context, statistics, index));
    const read = isUint ? api.stats_get_uint_value : api.stats_get_double_value;
    figures.set(checked(api.stats_get_key(context, statistics, index)), checked(read(context, statistics, index)));
  }
  const rlimitUsed = figures.get('rlimit count');
  const peakMegabytes = figures.get('max memory');
  if (rlimitUsed === undefined || peakMegabytes === undefined)
    throw new SmtError('z3 does not report its steps and memory');
  return { rlimitUsed, peakBytes: Math.round(peakMegabytes * 2 ** 20) };
}

/** The name of the function or constant that a term applies. */
function nameOf({ api, context, checked }: Pick<Session, 'api' | 'context' | 'checked'>, ast: Z3_ast): string {
  const declaration = checked(api.get_app_decl(context, checked(api.to_app(context, ast))));
  return checked(api.get_symbol_string(context, checked(api.get_decl_name(context, declaration))));
}
