import test from 'ava';
import {
  brokenIn,
  check,
  FAILED,
  look,
  move,
  moveAlong,
  order,
  pay,
  planOf,
  restart,
  UNKNOWN,
  wire,
} from './outcome-acts.ts';

// Acts that failed, or whose outcome nobody knows: a run passes if it does however they turned out.

const R0 = ['/constraints/r0'];
for (const [what, rules, actions, broken] of [
  ['counts towards a maximum of a count', ['count(pay) <= 1'], () => [pay('a', '1.00'), pay('b', '1.00', FAILED)], R0],
  ['is not over a maximum', ['count(pay) <= 2'], () => [pay('a', '1.00'), pay('b', '1.00', FAILED)], []],
  ['does not reach a minimum', ['count(pay) >= 2'], () => [pay('a', '1.00'), pay('b', '1.00', UNKNOWN)], R0],
  [
    'leaves open whether a count is a number',
    ['count(pay) == 2'],
    () => [pay('a', '1.00'), pay('b', '1.00', UNKNOWN)],
    R0,
  ],
  [
    'leaves open whether a count is another',
    ['count(pay) != 2'],
    () => [pay('a', '1.00'), pay('b', '1.00', UNKNOWN)],
    R0,
  ],
  ['counts in a sum', ['sum(pay, p, p.amount) <= 5.00'], () => [pay('a', '3.00'), pay('b', '3.00', FAILED)], R0],
  [
    'is worth nothing to a sum',
    ['sum(pay, p, p.amount) >= 5.00'],
    () => [pay('a', '3.00'), pay('b', '3.00', FAILED)],
    R0,
  ],
  [
    'keeps a difference open',
    ['sum(pay, p, p.amount) - sum(pay, p, p.amount, p.id == "a") <= 2.00'],
    () => [pay('a', '3.00', UNKNOWN), pay('b', '3.00', UNKNOWN)],
    R0,
  ],
  ['must obey what each must', ['pay.all(p, p.amount <= 2.00)'], () => [pay('b', '3.00', FAILED)], R0],
  ['is no example', ['pay.exists(p, p.amount == 3.00)'], () => [pay('b', '3.00', UNKNOWN)], R0],
  [
    'may be an example of what must not be',
    ['!pay.exists(p, p.amount == 3.00)'],
    () => [pay('b', '3.00', UNKNOWN)],
    R0,
  ],
  ['takes a unique value', ['unique(pay, p, p.id)'], () => [pay('a', '3.00', FAILED), pay('a', '3.00')], R0],
  ['is not compared with itself', ['unique(pay, p, p.id)'], () => [pay('a', '3.00', FAILED), pay('b', '3.00')], []],
  ['may be the least', ['least(pay, p, p.amount) >= 2.00'], () => [pay('a', '3.00'), pay('b', '1.00', FAILED)], R0],
  ['is not the only one', ['least(pay, p, p.amount) >= 2.00'], () => [pay('a', '3.00', FAILED)], R0],
  ['has no response that a rule could know', ['pay.all(p, p.fee <= 0.50)'], () => [pay('a', '3.00', UNKNOWN)], R0],
  ['has a response of its type', ['pay.all(p, p.fee <= 1.00)'], () => [pay('a', '3.00', UNKNOWN)], []],
  [
    'is no earlier act',
    ['pay.all(p, check.exists(c, c.id == p.id && before(c, p)))'],
    () => [check('a', FAILED), pay('a', '3.00')],
    R0,
  ],
  [
    'is an earlier act that must not be',
    ['pay.all(p, !check.exists(c, before(c, p)))'],
    () => [check('a', UNKNOWN), pay('a', '3.00')],
    R0,
  ],
  [
    'needs an earlier act',
    ['pay.all(p, check.exists(c, c.id == p.id && before(c, p)))'],
    () => [pay('a', '3.00', FAILED)],
    R0,
  ],
  [
    'of which another one is done',
    ['pay.all(p, check.exists(c, c.id == p.id && before(c, p)))'],
    () => [check('a', FAILED), check('a'), pay('a', '3.00', UNKNOWN)],
    [],
  ],
  [
    'is counted by its outcome if a rule says so',
    ['count(pay, p, p.outcome == "done") == 1', 'count(pay, p, p.outcome == "failed") == 1'],
    () => [pay('a', '1.00'), pay('b', '1.00', FAILED)],
    [],
  ],
  [
    'is refused by its outcome if a rule says so',
    ['pay.all(p, p.outcome == "done")'],
    () => [pay('b', '1.00', FAILED)],
    R0,
  ],
  ['must meet the conditions of its step', [], () => [pay('a', '51.00', FAILED)], ['/actions/0/where/where']],
  ['is not asked what only a response shows', [], () => [wire('a', '0', UNKNOWN)], []],
  [
    'counts towards the times of its step',
    [],
    () => [wire('a', '1'), wire('a', '1'), wire('a', '1'), wire('a', '1', FAILED)],
    ['/steps/wire/max'],
  ],
  // Attempts of one act.
  [
    'and its retry are one act',
    ['count(pay) == 1', 'sum(pay, p, p.amount) == 3.00', 'unique(pay, p, p.id)'],
    () => [pay('a', '3.00', { ...UNKNOWN, key: 'k' }), pay('a', '3.00', { key: 'k' })],
    [],
  ],
  [
    'and a retry under another step count for each step',
    ['count(again) <= 0'],
    () => [
      pay('a', '3.00', { ...FAILED, key: 'k' }),
      { ...pay('a', '3.00', { ...FAILED, key: 'k' }), step_id: 'again' },
    ],
    R0,
  ],
  [
    'and a retry may be done at the time of each',
    ['count(pay, p, p.started_at > timestamp("2026-11-20T10:00:00Z")) <= 0'],
    () => [pay('a', '3.00', { ...FAILED, key: 'k' }), pay('a', '3.00', { ...FAILED, key: 'k' })],
    R0,
  ],
  [
    'has the response of its retry',
    ['pay.all(p, p.fee <= 0.50)'],
    () => [pay('a', '3.00', { ...FAILED, key: 'k' }), pay('a', '3.00', { key: 'k' })],
    [],
  ],
  ['and a retry without a key are two', ['count(wire) <= 1'], () => [wire('a', '3', UNKNOWN), wire('a', '3')], R0],
  [
    'and a retry that failed too are one',
    ['count(pay) <= 1'],
    () => [pay('a', '3.00', { ...UNKNOWN, key: 'k' }), pay('a', '3.00', { ...FAILED, key: 'k' })],
    [],
  ],
  [
    'and a retry that failed too are none',
    ['count(pay) >= 1'],
    () => [pay('a', '3.00', { ...UNKNOWN, key: 'k' }), pay('a', '3.00', { ...FAILED, key: 'k' })],
    R0,
  ],
  [
    'and a retry with other arguments are two acts with one key',
    [],
    () => [pay('a', '3.00', { ...UNKNOWN, key: 'k' }), pay('a', '4.00', { key: 'k' })],
    ['/actions/1/once'],
  ],
  [
    'cannot be done twice',
    [],
    () => [pay('a', '3.00', { key: 'k' }), pay('a', '3.00', { key: 'k' })],
    ['/actions/1/once'],
  ],
  [
    'needs an earlier act at each attempt',
    ['pay.all(p, check.exists(c, before(c, p)))'],
    () => [pay('a', '3.00', { ...FAILED, key: 'k' }), check('a'), pay('a', '3.00', { key: 'k' })],
    R0,
  ],
  ['may take effect before its retry', [], () => [order(90, FAILED), look(90), order(90)], []],
  ['may take effect at its retry', [], () => [order(90, FAILED), look(100), order(90)], []],
  [
    'may take effect at a retry that failed too',
    [],
    () => [order(90, FAILED), look(100), order(90, FAILED), look(90)],
    [],
  ],
  ['takes effect once', [], () => [order(90, FAILED), look(90), order(80)], ['/actions/1/response/left']],
  [
    'may have taken effect before what comes before its retry',
    [],
    () => [order(90, FAILED), look(100, 'full'), order(90)],
    ['/actions/1/where/where'],
  ],
  [
    'may take effect at its retry, before what follows',
    [],
    () => [order(90, FAILED), look(100), order(90, FAILED), look(100, 'full')],
    ['/actions/3/where/where'],
  ],
  [
    'has no end before its retry has one',
    [],
    () => [order(90, UNKNOWN), look(100), order(90), look(90)],
    ['/actions/1/overlap/left'],
  ],
  [
    'has ended when its retry has',
    ['check.all(c, order.exists(o, before(o, c)))'],
    () => [order(90, UNKNOWN), wire('a', '1'), order(90), check('a'), look(90)],
    [],
  ],
  [
    'comes before what comes before its retry',
    ['check.all(c, count(order, o, before(o, c)) <= 0)', 'count(order) == 1', 'sum(order, o, o.left) == 90'],
    () => [order(90, FAILED), check('a'), order(90)],
    R0,
  ],
  // States.
  ['may have changed the state', ['state.moves <= 1'], () => [move(10, 90), move(10, 80, FAILED)], R0],
  ['may not have changed the state', ['state.moves >= 2'], () => [move(10, 90), move(10, 80, FAILED)], R0],
  ['may have, as the next one observes', [], () => [move(10, 90, FAILED), move(10, 80)], []],
  ['may not have, as the next one observes', [], () => [move(10, 90, FAILED), move(10, 90)], []],
  ['did one of the two', [], () => [move(10, 90, FAILED), move(10, 85)], ['/actions/1/response/left']],
  ['of two acts one took effect', [], () => [move(10, 0, FAILED), move(5, 0, FAILED), move(10, 85)], []],
  [
    'of two acts no sum fits',
    [],
    () => [move(10, 0, FAILED), move(5, 0, FAILED), move(10, 88)],
    ['/actions/2/response/left'],
  ],
  ['whose effect was observed is over', ['state.left == 80'], () => [move(10, 90, FAILED), move(10, 80)], []],
  [
    'took effect in some of the cases that fit what was seen',
    ['state.left != 80 || count(move) <= 1'],
    () => [move(10, 0, FAILED), move(10, 0, FAILED), move(10, 80)],
    R0,
  ],
  ['counts in both at once', ['state.moves == count(move)'], () => [move(10, 90), move(10, 80, FAILED)], []],
  [
    'may still change what was observed, if it is unknown',
    ['state.left >= 0'],
    () => [moveAlong(60, 40, UNKNOWN), moveAlong(30, 70), moveAlong(70, 0)],
    R0,
  ],
  [
    'may have ended, if it is unknown, when what must not come after it does',
    ['check.all(c, pay.all(p, !before(c, p)))'],
    () => [check('a', UNKNOWN), pay('a', '1.00')],
    R0,
  ],
  ['has no end if it is unknown', [], () => [move(10, 90, UNKNOWN), move(10, 80)], ['/actions/1/overlap/left']],
] as readonly [string, string[], () => object[], string[]][]) {
  test(`an act without a response ${what}${rules.length === 0 ? '' : ` (${rules.join('; ')})`}`, (t) => {
    restart();
    t.deepEqual(brokenIn(planOf(rules), actions()), broken);
  });
}
