import test from 'ava';
import { openZ3, query } from './open-z3.ts';

const domain = (symbol: string) => `(and (<= 0 ${symbol}) (<= ${symbol} 1000))`;

test('memory stays where it was after the first hundred checks', async (t) => {
  const z3 = await openZ3();
  const symbols = Array.from({ length: 8 }, (_, index) => `x${index}`);
  const ask = (round: number) => {
    const limit = `(${round % 2 === 0 ? '<=' : '>'} (+ ${symbols.join(' ')}) ${round % 2 === 0 ? round : 9000})`;
    return z3.check(query(symbols.map((symbol) => `${symbol}:Int`).join(' '), ...symbols.map(domain), limit));
  };
  for (let round = 0; round < 100; round++) ask(round);
  const { heapBytes } = z3.usage();
  for (let round = 100; round < 500; round++) t.is(ask(round).status, round % 2 === 0 ? 'sat' : 'unsat');
  t.deepEqual(z3.usage(), { checks: 500, heapBytes });
  t.false(z3.isWorn());
});

test('an instance that threw is worn, and still answers', async (t) => {
  const z3 = await openZ3();
  t.throws(() => z3.check(query('r0:Real', '(= (* r0 r0) 2.0)')));
  t.true(z3.isWorn());
  t.is(z3.check(query('', 'false')).status, 'unsat');
});
