/**
 * Writes the aggregates of an expression out over the actions that there may be: `["sum","pay",["arg","k"]]` becomes a sum of
 * `["ite",["var","/actions/0/present"],["var","/actions/0/arg/k"],0]`.
 * @param slots how many actions of step `pay` there may be
 */
export function unfold(expr: unknown, slots: number): unknown {
  if (!Array.isArray(expr)) return expr;
  const [head, step, ...rest]: readonly unknown[] = expr;
  const write = WRITERS.get(head);
  if (write === undefined) return [head, ...expr.slice(1).map((part: unknown) => unfold(part, slots))];
  const [body = ['bool', true]] = rest;
  const actions = step === 'pay' ? Array.from({ length: slots }, (_, index) => `/actions/${index}`) : [];
  return write(actions.map((path) => ({ present: ['var', `${path}/present`], body: ofAction(body, path) })));
}

interface Unfolded {
  readonly present: unknown;
  readonly body: unknown;
}

/** Over nothing, a sum and a count are 0, `forall` is true and `exists` is false. */
const WRITERS: ReadonlyMap<unknown, (all: readonly Unfolded[]) => unknown> = new Map([
  ['sum', (all) => ['+', 0, ...all.map(({ present, body }) => ['ite', present, body, 0])]],
  ['count', (all) => ['+', 0, ...all.map(({ present, body }) => ['ite', ['and', present, body], 1, 0])]],
  ['forall', (all) => ['and', ['bool', true], ...all.map(({ present, body }) => ['implies', present, body])]],
  ['exists', (all) => ['or', ['bool', false], ...all.map(({ present, body }) => ['and', present, body])]],
]);

function ofAction(expr: unknown, path: string): unknown {
  if (!Array.isArray(expr)) return expr;
  if (expr[0] === 'arg') return ['var', `${path}/arg/${expr[1]}`];
  return [expr[0], ...expr.slice(1).map((part: unknown) => ofAction(part, path))];
}
