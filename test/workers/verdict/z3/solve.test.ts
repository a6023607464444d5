import test from 'ava';
import { SmtError } from '../../../../workers/verdict/decide/smt-solver.ts';
import { loadModule } from '../../../../workers/verdict/z3/module.ts';
import { toScript } from '../../../../workers/verdict/z3/script.ts';
import { solve } from '../../../../workers/verdict/z3/solve.ts';
import { query, readWasm } from '../../../models/open-z3.ts';

const z3 = await loadModule(await readWasm());
const asked = query('x0:Int', '(< 1 x0)', '(< x0 3)');
const script = toScript(asked);

test('z3 is asked if it holds the assertions that were sent', (t) => {
  t.is(solve(z3, asked, script).status, 'sat');
});

for (const [what, other, message] of [
  ['lacks an assertion', script.replace(/\(assert .*c1\)\)\n/, ''), 'z3 holds 1 of 2 assertions'],
  ['has one more', script.replace('(check-sat)', '(assert (! true :named c2))'), 'z3 holds 3 of 2 assertions'],
  ['has another', script.replace('c1', 'c2'), 'z3 holds another assertion'],
  ['has them in another order', toScript({ ...asked, assertions: asked.assertions.toReversed() }), /another assertion/],
  ['has one without a name', script.replace('(! (< x0 3) :named c1)', '(< x0 3)'), /an assertion without a name/],
] as const) {
  test(`z3 is not asked if it ${what}`, (t) => {
    t.not(other, script);
    t.throws(() => solve(z3, asked, other), { instanceOf: SmtError, message });
  });
}
