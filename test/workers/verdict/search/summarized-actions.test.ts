import { type Row, testRows } from '../../../models/abstracted-plan.ts';
import { looked, paid } from '../../../models/pay-plan.ts';

const LOOK = 'look: { tool: look@1, times: 0..2 }';
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => `{ k: ${at}, j: ${at % 4}, v: ${at * 2}, on: true, name: X }`).join(', ');
const COLUMNS = 'columns: { k: int, j: int, v: int, on: bool, name: string(4) }';
const TABLES = `few: { key: k, ${COLUMNS}, rows: [${rowsOf(16)}] }, many: { key: k, ${COLUMNS}, rows: [${rowsOf(17)}] }, double: { key: [k, j], ${COLUMNS}, rows: [${rowsOf(17)}] }`;
const PAIRS =
  'pairs: { key: [a, b], columns: { a: string(64), b: int(0..3), c: int, e: bool }, rows: [{ a: X, b: 1, c: 5, e: true }, { a: Y, b: 3, c: 7, e: true }] }';

const parts = { tables: '', steps: LOOK };
const under = (rules: readonly string[]) => ({
  ...parts,
  rules,
  ...(`${rules}`.includes('few') ? { tables: TABLES } : {}),
});
const no = (...rules: readonly string[]): Row => [under(rules), rules.map((_, at) => `r${at}`).join(' ')];
const may = (...rules: readonly string[]): Row => [under(rules)];
/** A payment without the flag follows, and the condition holds for it. */
const meets = (where: string, rule: string, core?: string, more: object = {}): Row => [
  {
    tables: TABLES,
    pay: `times: 1..4, where: 'args.flag || ${where}'`,
    rules: [`pay.all(p, !p.flag && ${rule})`],
    ...more,
  },
  core,
];

const UNDER = { given: 'limit: 20, three: 3, seven: 7', state: 'left: 9' };
const AMOUNT = 'args.free == approved[args.invoice].amount';
const listed = (where: string, rules: readonly string[], core?: string, more: object = {}): Row => [
  { ...UNDER, pay: `times: 0..4, where: '${where}'`, rules, ...more },
  core,
];
/** Three payments of 1 or 3 have an odd sum. Without the list, they may have any from 0 to 9. */
const isOdd = (where: string, more: object = {}) =>
  listed(where, ['sum(pay, p, p.n) == 4', 'count(pay) == 3'], 'r0 r1', more);
const isAny = (where: string, more: object = {}) =>
  listed(where, ['sum(pay, p, p.n) == 4', 'count(pay) == 3'], undefined, more);
/** A list of so many alternatives, of which each is 1 or 3. */
const alternatives = (count: number) =>
  Array.from({ length: count }, (_, at) => `args.n == ${(at % 2) * 2 + 1}`).join(' || ');

testRows({
  'what was done and what follows are counted and summed together': [
    [{ ...parts, rules: ['count(pay) == 4'] }, undefined, [paid()]],
    [{ ...parts, pay: 'times: 0..1', rules: ['count(pay) == 2'] }, 'r0', [paid()]],
    [{ ...parts, rules: ['sum(pay, p, p.n) == 12'] }, undefined, [paid({ n: 3 })]],
    [{ ...parts, rules: ['sum(pay, p, p.n) > 12'] }, 'r0', [paid({ n: 3 })]],
    [{ ...parts, rules: ['sum(pay, p, p.n) < 3'] }, 'r0', [paid({ n: 3 })]],
    [{ rules: ['sum(pay, p, approved[p.invoice].amount) < 99'] }, 'r0', [paid({ invoice: 'none' })]],
  ],
  'a count under a condition is at most that of all, and at least none': [
    no('count(pay, p, p.n > 1) > count(pay)'),
    no('count(pay, p, p.n > 1) < 0'),
    may('count(pay, p, p.n > 1) == count(pay)', 'count(pay) == 3'),
    may('count(pay, p, p.n > 1) == 0', 'count(pay) == 3'),
  ],
  'sums of linear expressions are exact in the sums of single numbers, which rules share': [
    no('sum(pay, p, p.n - p.m * 3 + 5) != sum(pay, p, p.n) - 3 * sum(pay, p, p.m) + 5 * count(pay)'),
    no('sum(pay, p, p.response.fee + p.m) != sum(pay, p, p.response.fee) + sum(pay, p, p.m)'),
    no('sum(pay, p, 2) != 2 * count(pay)'),
    may('sum(pay, p, p.n) == 5', 'sum(pay, p, p.m) == -4', 'count(pay) == 2'),
  ],
  'other sums are between the least and the greatest that so many actions can have': [
    no('sum(pay, p, max(p.n, p.response.fee)) > 27', 'count(pay) == 3'),
    no('sum(pay, p, max(p.n, p.response.fee)) < 6', 'count(pay) == 3'),
    may('sum(pay, p, max(p.n, p.response.fee)) == 27', 'count(pay) == 3'),
    may('sum(pay, p, max(p.n, p.response.fee)) == 6', 'count(pay) == 3'),
    no('sum(pay, p, min(p.response.fee * -1, p.m)) < -18', 'count(pay) == 2'),
    no('sum(pay, p, min(p.response.fee * -1, p.m)) > -4', 'count(pay) == 2'),
    no('sum(pay, p, max(p.n, p.response.fee)) != 0', 'count(pay) == 0'),
  ],
  'a sum over some of the actions can be that over none of them': [
    may('sum(pay, p, p.response.fee, p.flag) == 0', 'count(pay) == 3'),
    may('sum(pay, p, p.response.fee, p.flag) == 27', 'count(pay) == 3'),
    no('sum(pay, p, p.response.fee, p.flag) > 27', 'count(pay) == 3'),
    no('sum(pay, p, p.response.fee, p.flag) < 0'),
    may('sum(pay, p, p.response.fee * -1, p.flag) == 0', 'count(pay) == 3'),
    no('sum(pay, p, p.response.fee * -1, p.flag) < -27', 'count(pay) == 3'),
    no('sum(pay, p, p.response.fee * -1, p.flag) > 0'),
    may('sum(pay, p, p.m, p.flag) == -6', 'count(pay) == 3'),
    no('sum(pay, p, p.response.fee, p.flag) != 0', 'count(pay) == 0'),
  ],
  'a truth over no actions is that of nothing, and over some it is open': [
    no('!pay.all(p, p.n > 1)', 'count(pay) == 0'),
    no('!unique(pay, p, p.n)', 'count(pay) == 0'),
    no('pay.exists(p, p.n > 1)', 'count(pay) == 0'),
    may('pay.all(p, p.n > 1)', 'unique(pay, p, p.n)', '!pay.exists(p, p.n > 1)', 'count(pay) == 0'),
    may('!pay.all(p, p.n > 1)', '!unique(pay, p, p.n)', 'pay.exists(p, p.n > 1)', 'count(pay) == 1'),
  ],
  'a truth is decided if what was done decides it': [
    [{ ...parts, rules: ['pay.all(p, p.n > 1)'] }, 'r0', [paid({ n: 1 })]],
    [{ ...parts, rules: ['pay.all(p, p.n > 1)'] }, undefined, [paid({ n: 2 })]],
    [{ ...parts, rules: ['!pay.exists(p, p.n > 1)'] }, 'r0', [paid({ n: 2 })]],
    [{ ...parts, rules: ['unique(pay, p, p.n)'] }, 'r0', [paid(), paid()]],
    [{ ...parts, rules: ['least(pay, p, p.n) == 3'] }, undefined, [paid()]],
  ],
  'equal aggregates share what is not known of them, and others do not': [
    no('pay.exists(p, p.free > 1)', '!pay.exists(p, p.free > 1)'),
    may('pay.exists(p, p.free > 1)', '!pay.exists(p, p.free > 2)'),
    no('few.exists(f, pay.exists(p, p.free > 1)) && few.exists(f, !pay.exists(p, p.free > 1))'),
    may('few.exists(f, pay.exists(p, p.free > f.v)) && few.exists(f, !pay.exists(p, p.free > f.v))'),
    [
      {
        ...parts,
        rules: ['look.exists(l, pay.exists(p, p.free > l.n)) && look.exists(l, !pay.exists(p, p.free > l.n))'],
      },
      undefined,
      [looked(1), looked(2)],
    ],
  ],
  'small tables and known keys are written out, and a large table is open within its column': [
    meets('args.free == few[args.n].v', 'p.free == 3', '*'),
    meets('args.free == many[args.n].v', 'p.free == 3'),
    meets('args.free == many[args.n].v', 'p.free == 32'),
    meets('args.free == many[args.n].v', 'p.free == 33', '*'),
    meets('args.free == many[args.n].v', 'p.free == -1', '*'),
    meets('args.free == many[3].v', 'p.free == 7', '*'),
    meets('args.free == double[[3, 3]].v', 'p.free == 7', '*'),
    meets('args.free == double[[3, args.n]].v', 'p.free == 7'),
    meets('args.free == double[[args.n, 3]].v', 'p.free == 7'),
    meets('!(args.n in few)', 'p.n >= 0', '*'),
    meets('!(args.n in many)', 'p.n >= 0'),
    meets('!many[args.n].on', 'p.n >= 0'),
    meets('many[args.n].name == args.payee', 'p.payee == "Y"'),
  ],
  'a row and its values are the same wherever a large table is asked for them': [
    meets('args.free == many[args.n].v && !(args.n in many)', 'p.n >= 0', '*'),
    meets('args.free == many[args.n].v && args.m == many[args.n].v', 'p.free == 1 && p.m == 2', '*'),
    meets('args.free == many[args.n].v && args.m == many[args.n].j', 'p.free == 1 && p.m == 2'),
    meets('many[args.n].on && !many[args.n].on', 'p.n >= 0', '*'),
  ],
  'where each action has a listed row, sums are exact in how many have each': [
    listed(
      'args.invoice in approved',
      [
        'count(pay, p, p.invoice == "A") + count(pay, p, p.invoice == "B") + count(pay, p, p.invoice == "C") != count(pay)',
      ],
      'r0',
    ),
    listed(AMOUNT, ['sum(pay, p, p.free * 2 + 1) != 2 * sum(pay, p, p.free) + count(pay)'], 'r0'),
    listed(AMOUNT, ['sum(pay, p, p.free) == 32', 'count(pay) == 4']),
    listed(AMOUNT, ['sum(pay, p, p.free) == 33', 'count(pay) == 4'], 'r0'),
    listed(AMOUNT, ['sum(pay, p, p.free + p.n) == 33', 'count(pay) == 4']),
    listed('args.invoice in approved', ['count(pay, p, p.invoice == "A") > 4'], 'r0'),
    [{ rules: ['pay.all(p, p.invoice in approved)', 'count(pay, p, p.invoice == "Z") > 0'] }, 'r1'],
  ],
  'a list, a membership or a look-up requires a row': [
    isOdd('args.n == 1 || args.n == 3'),
    isOdd('args.n == 1 || args.n == three'),
    isOdd('(1 == args.n && args.invoice == "A") || (args.invoice == "B" && args.n == 3 && args.flag)'),
    isOdd('(args.n == 1 && args.m == 2) || args.n == 3'),
    isOdd('[args.invoice, args.n] in pairs', { tables: PAIRS }),
    isOdd('args.free == pairs[[args.invoice, args.n]].c', { tables: PAIRS }),
    isOdd('pairs[[args.invoice, args.n]].c == args.free', { tables: PAIRS }),
    isOdd('pairs[[args.invoice, args.n]].e', { tables: PAIRS }),
  ],
  'no row is required where the condition can hold without it, or the rows do not give the arguments': [
    isAny('args.n == 1 || args.m == 1'),
    isAny('args.n == 1 || args.n > 2'),
    isAny('args.n == 1 || args.n == args.m'),
    isAny('args.n == 1 || args.n == state.left', { state: 'left: 3' }),
    isAny('args.n == 1 || args.n == state.three', { state: 'three: 2' }),
    isAny('!([args.invoice, args.n] in pairs)', { tables: PAIRS }),
    isAny('args.flag || [args.invoice, args.n] in pairs', { tables: PAIRS }),
    isAny('args.free == (args.flag ? pairs[[args.invoice, args.n]].c : 3)', { tables: PAIRS }),
    isAny('pairs[[args.invoice, three]].c > 1', { tables: PAIRS }),
  ],
  'the shortest list is taken, without the rows that conditions and types rule out': [
    isOdd('args.invoice in approved && (args.n == 1 || args.n == 3)'),
    isOdd('(args.n == 1 || args.n == 3) && args.invoice in approved'),
    isOdd('args.n == 1 || args.n == 3 || args.n == 9'),
    isOdd('(args.n == 1 || args.n == 2 || args.n == 3) && args.n != 2'),
    listed(`${AMOUNT} && args.free <= limit`, ['sum(pay, p, p.free) == 7', 'count(pay) == 2']),
    listed(`${AMOUNT} && args.free <= limit`, ['sum(pay, p, p.free) == 25', 'count(pay) == 2'], 'r0'),
    listed(`${AMOUNT} && args.free <= state.left`, ['sum(pay, p, p.free) == 25', 'count(pay) == 2']),
    listed('args.n == approved[args.invoice].amount', ['count(pay) > 0'], 'r0'),
  ],
  'up to 256 rows are counted one by one': [isOdd(alternatives(256)), isAny(alternatives(257))],
});
