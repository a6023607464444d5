import test from 'ava';
import type { Json } from '../../../workers/plan-text/cel/lowering.ts';
import { readPlan } from '../../../workers/solver/plan/read-plan.ts';
import { APPROVED_TABLE, compileText, planOf, planText, TOOLS, textsOf } from '../../models/plan-texts.ts';

const P = ['arg', 'p', 'amount'];

/** Rules about whole runs, and the canonical form of each. */
const RULES: readonly (readonly [string, Json])[] = [
  ['true', ['bool', true]],
  ['most == 3', ['=', ['var', 'most'], 3]],
  ['cap <= 100.00', ['<=', ['var', 'cap'], ['dec', '100.00']]],
  ['cap <= -0.50', ['<=', ['var', 'cap'], ['dec', '-0.50']]],
  ['most < 123456789012345678901', ['<', ['var', 'most'], ['int', '123456789012345678901']]],
  ['most == 0x1F', ['=', ['var', 'most'], 31]],
  ['name == "x"', ['=', ['var', 'name'], ['str', 'x']]],
  ['"new" == kind', ['=', ['enum', 'new'], ['var', 'kind']]],
  ['kind != "old"', ['!=', ['var', 'kind'], ['enum', 'old']]],
  ['name in ["x", "y"]', ['or', ['=', ['var', 'name'], ['str', 'x']], ['=', ['var', 'name'], ['str', 'y']]]],
  ['most in []', ['bool', false]],
  ['flag && !flag || flag', ['or', ['and', ['var', 'flag'], ['not', ['var', 'flag']]], ['var', 'flag']]],
  ['most + 1 + 2 - 3 - 4 == 0', ['=', ['-', ['+', ['var', 'most'], 1, 2], 3, 4], 0]],
  ['2 * most == most * 2', ['=', ['*', 2, ['var', 'most']], ['*', ['var', 'most'], 2]]],
  // A given number that multiplies or divides is written out.
  ['count(pay) * cap <= 75.00', ['<=', ['*', ['count', 'pay'], ['dec', '25.00']], ['dec', '75.00']]],
  ['most * count(pay) == cap * most', ['=', ['*', 3, ['count', 'pay']], ['*', ['var', 'cap'], 3]]],
  ['count(pay) / most == 0', ['=', ['div', ['count', 'pay'], 3], 0]],
  ['most * wait == duration("3h")', ['=', ['*', 3, ['var', 'wait']], ['duration', '10800000000']]],
  ['-cap < 0.0', ['<', ['-', ['var', 'cap']], ['dec', '0.0']]],
  ['count(pay) / 2 == count(pay) % 3', ['=', ['div', ['count', 'pay'], 2], ['mod', ['count', 'pay'], 3]]],
  ['(flag ? 1 : 2) == 1', ['=', ['ite', ['var', 'flag'], 1, 2], 1]],
  [
    'kind == (flag ? "new" : "old")',
    ['=', ['var', 'kind'], ['ite', ['var', 'flag'], ['enum', 'new'], ['enum', 'old']]],
  ],
  [
    'min(most, 5) <= max(cap, 1.0, 2.00)',
    ['<=', ['min', ['var', 'most'], 5], ['max', ['var', 'cap'], ['dec', '1.0'], ['dec', '2.00']]],
  ],
  ['state.left >= 0.00', ['>=', ['final', 'left'], ['dec', '0.00']]],
  ['state.sent["a"] <= 1', ['<=', ['at', 'final', 'sent', ['str', 'a']], 1]],
  [
    'state.sent.all(e, e.value <= 3 && e.key != "")',
    ['forall', ['map', 'sent'], 'e', ['and', ['<=', ['value', 'e'], 3], ['!=', ['key', 'e'], ['str', '']]]],
  ],
  ['pay.all(p, p.amount > 0.00)', ['forall', 'pay', 'p', ['>', P, ['dec', '0.00']]]],
  ['pay.exists(p, p.id == name)', ['exists', 'pay', 'p', ['=', ['resp', 'p', 'id'], ['var', 'name']]]],
  ['pay.exists_one(p, p.amount == cap)', ['=', ['count', 'pay', 'p', ['=', P, ['var', 'cap']]], 1]],
  [
    'look.all(l, l.args.kind == "new" && l.response.kind == "new")',
    [
      'forall',
      'look',
      'l',
      ['and', ['=', ['arg', 'l', 'kind'], ['enum', 'new']], ['=', ['resp', 'l', 'kind'], ['str', 'new']]],
    ],
  ],
  [
    'pay.filter(q, q.amount > 1.00).all(p, p.payee == "a")',
    ['forall', 'pay', 'p', ['implies', ['>', P, ['dec', '1.00']], ['=', ['arg', 'p', 'payee'], ['str', 'a']]]],
  ],
  [
    'pay.filter(p, p.amount > 1.00).exists(p, p.payee == "a")',
    ['exists', 'pay', 'p', ['and', ['>', P, ['dec', '1.00']], ['=', ['arg', 'p', 'payee'], ['str', 'a']]]],
  ],
  [
    'count(pay.filter(q, q.amount > 1.00)) <= 2',
    ['<=', ['count', 'pay', 'q', ['>', ['arg', 'q', 'amount'], ['dec', '1.00']]], 2],
  ],
  ['size(pay) <= 2', ['<=', ['count', 'pay'], 2]],
  ['count(pay, p, p.amount > 1.00) <= 2', ['<=', ['count', 'pay', 'p', ['>', P, ['dec', '1.00']]], 2]],
  ['sum(pay, p, p.amount) <= cap', ['<=', ['sum', 'pay', 'p', P], ['var', 'cap']]],
  [
    'sum(pay, p, p.amount, p.payee == "a") <= cap',
    ['<=', ['sum', 'pay', 'p', P, ['=', ['arg', 'p', 'payee'], ['str', 'a']]], ['var', 'cap']],
  ],
  [
    'sum(pay.filter(q, q.payee == "a").filter(r, r.id != ""), p, p.amount, p.amount > 1.00) <= cap',
    [
      '<=',
      [
        'sum',
        'pay',
        'p',
        P,
        [
          'and',
          ['and', ['=', ['arg', 'p', 'payee'], ['str', 'a']], ['!=', ['resp', 'p', 'id'], ['str', '']]],
          ['>', P, ['dec', '1.00']],
        ],
      ],
      ['var', 'cap'],
    ],
  ],
  [
    'least(pay, p, p.amount) < greatest(pay, p, p.amount)',
    ['<', ['least', 'pay', 'p', P], ['greatest', 'pay', 'p', P]],
  ],
  ['unique(pay, p, p.invoice)', ['unique', 'pay', 'p', [['arg', 'p', 'invoice']]]],
  [
    'unique(pay, p, [p.invoice, p.payee], p.amount > 0.00)',
    [
      'unique',
      'pay',
      'p',
      [
        ['arg', 'p', 'invoice'],
        ['arg', 'p', 'payee'],
      ],
      ['>', P, ['dec', '0.00']],
    ],
  ],
  [
    'approved.all(r, r.amount > 0.00)',
    ['forall', ['table', 'approved'], 'r', ['>', ['col', 'r', 'amount'], ['dec', '0.00']]],
  ],
  [
    'pay.all(p, p.invoice in approved && p.amount == approved[p.invoice].amount)',
    [
      'forall',
      'pay',
      'p',
      [
        'and',
        ['in', 'approved', [['arg', 'p', 'invoice']]],
        ['=', P, ['look', 'approved', 'amount', [['arg', 'p', 'invoice']]]],
      ],
    ],
  ],
  [
    '[name, most] in pairs && pairs[[name, 1]].c',
    [
      'and',
      [
        'in',
        'pairs',
        [
          ['var', 'name'],
          ['var', 'most'],
        ],
      ],
      ['look', 'pairs', 'c', [['var', 'name'], 1]],
    ],
  ],
  ['pay.all(p, look.exists(l, before(l, p)))', ['forall', 'pay', 'p', ['exists', 'look', 'l', ['before', 'l', 'p']]]],
  [
    'pay.all(p, p.started_at - approved_at <= duration("24h"))',
    ['forall', 'pay', 'p', ['<=', ['-', ['started', 'p'], ['run', 'approved_at']], ['duration', '86400000000']]],
  ],
  [
    'pay.all(p, p.ended_at < timestamp("2026-12-01T00:00:00.5Z") + wait * 2)',
    [
      'forall',
      'pay',
      'p',
      ['<', ['ended', 'p'], ['+', ['time', '2026-12-01T00:00:00.500000Z'], ['*', ['var', 'wait'], 2]]],
    ],
  ],
  [
    'look.all(l, l.since + l.took < end)',
    ['forall', 'look', 'l', ['<', ['+', ['resp', 'l', 'since'], ['resp', 'l', 'took']], ['var', 'end']]],
  ],
  ['approvals >= 2 && approved_by("finance")', ['and', ['>=', ['run', 'approvals'], 2], ['approved_by', 'finance']]],
];

test('rules compile to the canonical form', (t) => {
  const plan = planOf(planText(RULES.map(([rule], index) => `r${index}: ${JSON.stringify(rule)}`)));
  const { constraints } = plan;
  t.notThrows(() => readPlan(plan, [], { tools: textsOf(TOOLS), tables: [APPROVED_TABLE] }));
  for (const [index, [rule, expr]] of RULES.entries()) t.deepEqual(constraints[index], { id: `r${index}`, expr }, rule);
});

test('a condition at the top of where is split at &&, and each part has an id', (t) => {
  const { steps } = planOf(
    planText([], { where: 'args.amount > 0.00 && (args.payee == "a" || flag) && started_at < end' }),
  );
  t.deepEqual(steps[1]?.where, [
    { id: 'where.1', expr: ['>', ['arg', 'amount'], ['dec', '0.00']] },
    { id: 'where.2', expr: ['or', ['=', ['arg', 'payee'], ['str', 'a']], ['var', 'flag']] },
    { id: 'where.3', expr: ['<', ['started'], ['var', 'end']] },
  ]);
});

test('in conditions and effects, state is the state before the action', (t) => {
  const { steps } = planOf(planText([], { where: 'state.left >= args.amount && state.sent[args.payee] == 0' }));
  t.deepEqual(
    steps[1]?.where.map(({ expr }) => expr),
    [
      ['>=', ['state', 'left'], ['arg', 'amount']],
      ['=', ['at', 'state', 'sent', ['arg', 'payee']], 0],
    ],
  );
  const value = ['+', ['at', 'state', 'sent', ['arg', 'to']], 1];
  t.deepEqual(steps[2]?.effects, { sent: [{ key: ['arg', 'to'], value }] });
});

test('a sum of 500 operands is one list, so that it is not too deep', (t) => {
  const { constraints } = planOf(planText([`r: ${Array(500).fill('most').join(' + ')} > 0`]));
  t.deepEqual(constraints[0]?.expr, ['>', ['+', ...Array(500).fill(['var', 'most'])], 0]);
});

test('an expression of more than 1,000 nodes is refused', (t) => {
  const { faults } = compileText(
    planText([`r: ${Array(600).fill('most').join(' + ')} > ${Array(600).fill('1').join(' + ')}`]),
  );
  t.is(faults?.[0]?.code, 'TOO_LARGE');
});
