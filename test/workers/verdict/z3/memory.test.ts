import test from 'ava';
import { SmtError } from '../../../../workers/verdict/decide/smt-solver.ts';
import { createZ3 } from '../../../../workers/verdict/z3/z3.ts';
import { openZ3, query, readWasm } from '../../../models/open-z3.ts';

const domain = (symbol: string) => `(and (<= 0 ${symbol}) (<= ${symbol} 1000))`;

test('memory does not grow after the first fifty checks', async (t) => {
  const z3 = await openZ3();
  const symbols = Array.from({ length: 8 }, (_, index) => `x${index}`);
  const ask = (round: number) => {
    const sum = `(+ ${symbols.join(' ')})`;
    const limit = round % 2 === 0 ? `(<= ${sum} ${round})` : `(< 9000 ${sum})`;
    return z3.check(query(symbols.map((symbol) => `${symbol}:Int`).join(' '), ...symbols.map(domain), limit));
  };
  for (let round = 0; round < 50; round++) ask(round);
  const { heapBytes } = z3.usage();
  for (let round = 50; round < 150; round++) t.is(ask(round).status, round % 2 === 0 ? 'sat' : 'unsat');
  t.deepEqual(z3.usage(), { checks: 150, heapBytes });
  t.false(z3.isWorn());
});

test('an instance that ran out of memory answers no further query', async (t) => {
  const z3 = await createZ3(await readWasm(), { maxMemoryMb: 9 });
  const nested = Array.from({ length: 480 }).reduce((term) => `(+ 1 (ite b0 ${term} x0))`, 'x0');
  const asked = query('x0:Int b0:Bool', `(< 3 ${nested})`);
  t.throws(() => z3.check(asked), { instanceOf: SmtError });
  t.throws(() => z3.check(query('', 'true')), { message: 'z3 broke at an earlier query' });
  t.true(z3.isWorn());
});
