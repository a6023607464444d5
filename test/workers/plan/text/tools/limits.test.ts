import test from 'ava';
import { compileTools } from '../../../../../workers/plan/text/tools/compile-tools.ts';

/** The limit of a tool whose arguments have bounds. */
const compile = (limit: string) =>
  compileTools(`tools:
  bank.pay@1.0.0:
    effect: revenue_write
    args: { payee: string(64), amount: "decimal(2, 5.00..100.00)", items: int(1..9) }
    responds: { id: string(64) }
    identity: id
    limits: { one: ${limit} }
`);

const LIMITS: readonly (readonly [text: string, limit: object])[] = [
  ['10000 of amount per day', { of: 'amount', per: null, within: 'day', most: '10000.00' }],
  ['1.50 of amount for each payee per hour', { of: 'amount', per: 'payee', within: 'hour', most: '1.50' }],
  ['500 of items per week', { of: 'items', per: null, within: 'week', most: '500' }],
  ['0 of items for each payee per week', { of: 'items', per: 'payee', within: 'week', most: '0' }],
  ['1 act per hour', { of: null, per: null, within: 'hour', most: '1' }],
  ['12 acts for each payee per day', { of: null, per: 'payee', within: 'day', most: '12' }],
];

test('a limit is one of the sum of many acts, whatever the bounds of one act are', (t) => {
  for (const [text, limit] of LIMITS) {
    const { tools, faults } = compile(text);
    t.deepEqual(faults, undefined, text);
    t.deepEqual(tools?.[0]?.limits, [{ id: 'one', ...limit }], text);
  }
});
