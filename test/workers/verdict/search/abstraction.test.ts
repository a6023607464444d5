import { type Row, testRows } from '../../../models/abstracted-plan.ts';
import { looked, paid } from '../../../models/pay-plan.ts';

const LOOK = 'look: { tool: look@1, times: 0..2 }';
const WAITS = { pay: 'times: 0..4, after: { look: 2 }', steps: LOOK };
const ORDERED = { pay: 'times: 0..4, after: { look: if_done }', steps: 'look: { tool: look@1, times: 1..2 }' };
const LEFT = 'left: { type: "int(0..40)", initial: 10 }';
const PAYS = 'effects: { left: state.left - args.n }';
const FIRST = 'pay/first pay/min';
const MAP = 'sent: "map(string(64), int(0..5), default 0)"';
const [SENDS, SENDS_A] = ['args.invoice', '\\"A\\"'].map(
  (key) => `effects: { "sent[${key}]": 'state.sent[${key.replaceAll('\\', '')}] + 1' }`,
);

/** Needs an action of `pay` whose condition reads the state. */
const needs = (where: string, more: object = {}) => ({
  state: LEFT,
  steps: LOOK,
  pay: `times: 1..4, ${PAYS}, where: '${where}'`,
  ...more,
});
const looking = (effects: string, more: object) => ({
  state: `${LEFT}, other: { type: "int(0..40)", initial: 10 }`,
  steps: `look: { tool: look@1, times: 0..2, effects: { ${effects} } }`,
  pay: `times: 1..4, where: 'state.left < 10'`,
  ...more,
});
/** What is left at the end, after payments with an effect. */
const ends = (rules: readonly string[], effect = 'state.left - args.n', more: object = {}) => ({
  state: `${LEFT}, other: { type: "int(0..3)", initial: 1 }`,
  pay: `times: 0..4, effects: { left: '${effect}' }`,
  rules,
  ...more,
});
const small = (initial: number, pay: string) => ({ state: `left: { type: "int(0..5)", initial: ${initial} }`, pay });

testRows({
  'a step is done as often as it must and may': [
    [{ pay: 'times: 2..4', rules: ['count(pay) < 2'] }, 'pay/min r0'],
    [{ pay: 'times: 2..4', rules: ['count(pay) < 3'] }],
    [{ pay: 'times: 2..4', rules: ['count(pay) < 2'] }, 'pay/min r0', [paid()]],
    [{ pay: 'times: 2..4', rules: ['count(pay) < 3'] }, undefined, [paid(), paid()]],
    [{ rules: ['count(pay) > 4'] }, 'r0'],
    [{ rules: ['count(pay) > 4'] }, 'r0', [paid()]],
    [{ rules: ['count(pay) == 4'] }, undefined, [paid()]],
    [{ pay: 'times: 0..2', rules: ['count(pay) > 2'] }, 'r0', [paid(), paid()]],
  ],
  'a step follows those that it waits for': [
    [{ ...WAITS, rules: ['count(pay) > 0', 'count(look) < 2'] }, 'pay/after/look r0 r1'],
    [{ ...WAITS, rules: ['count(look) < 2'] }],
    [{ ...WAITS, rules: ['count(pay) > 0'] }],
    [{ ...WAITS, rules: ['count(pay) > 0', 'count(look) < 3'] }, undefined, [looked(), looked()]],
    [{ ...WAITS, rules: ['count(pay) > 0', 'count(look) < 2'] }, 'pay/after/look r0 r1', [looked()]],
  ],
  'a step does not follow one before which it must be done': [
    [ORDERED],
    [ORDERED, undefined, [looked(), paid()]],
    [ORDERED, 'look/min look/order/pay', [paid()]],
  ],
  'what a run still needs is within the recorded actions of the plan': [
    [{ pay: 'times: 3..4', recorded: 2 }, '/max_recorded', [paid()]],
    [{ pay: 'times: 3..4', recorded: 3 }, undefined, [paid()]],
    [{ pay: 'times: 0..4', recorded: 2 }, undefined, [paid(), paid()]],
  ],
  'one action meets the conditions of its step, if any follows': [
    [{ pay: `times: 0..4, where: { low: 'args.n < 1', high: 'args.n > 1' }` }],
    [{ pay: `times: 1..4, where: { low: 'args.n < 1', high: 'args.n > 1' }` }, '*'],
    [{ pay: `times: 1..4, where: 'args.n < 1'` }],
  ],
  'the first action meets its conditions in the state that is known': [
    [needs('state.left < 10'), FIRST],
    [needs('state.left <= 10')],
    [needs('state.left > 8', { pay: `times: 2..4, ${PAYS}, where: 'state.left > 8'` }), FIRST, [paid({ n: 3 })]],
  ],
  'another step may change the state before, if it is done': [
    [looking('left: state.left - args.n', {})],
    [looking('left: state.left - args.n', { rules: ['count(look) == 0'] }), `${FIRST} r0`],
    [looking('other: state.other - args.n', {}), FIRST],
    [{ state: MAP, steps: LOOK, pay: `times: 1..4, where: 'state.sent["A"] > 0'` }, FIRST],
    [{ state: MAP, steps: LOOK, pay: `times: 1..4, where: 'state.sent["A"] > 0', ${SENDS_A}` }, FIRST],
    [
      {
        state: MAP,
        steps: `look: { tool: look@1, times: 0..2, ${SENDS_A} }`,
        pay: `times: 1..4, where: 'state.sent["A"] > 0'`,
      },
    ],
  ],
  'a table or an argument that a condition reads is no state that has its name': [
    [
      looking('approved: state.approved - args.n', {
        state: `${LEFT}, approved: { type: "int(0..40)", initial: 10 }`,
        pay: `times: 1..4, where: 'state.left < 10 && approved.exists(a, a.amount > args.n)'`,
      }),
      FIRST,
    ],
    [
      looking('n: state.n - args.n', {
        state: `${LEFT}, n: { type: "int(0..40)", initial: 10 }`,
        pay: `times: 1..4, where: 'state.left < 10 && args.n < 3'`,
      }),
      FIRST,
    ],
  ],
  'a map is as it was, unless an action may change it': [
    [{ state: MAP, rules: ['state.sent["A"] > 0'] }, 'r0'],
    [{ state: MAP, pay: `times: 0..4, ${SENDS}`, rules: ['state.sent["A"] == 1', 'state.sent["B"] == 5'] }],
    [{ state: MAP, pay: `times: 0..4, ${SENDS}`, rules: ['state.sent["A"] > 5'] }, 'r0'],
    [{ state: MAP, pay: `times: 0..4, ${SENDS}`, rules: ['state.sent["A"] == 1', 'state.sent["A"] > 1'] }, 'r0 r1'],
  ],
  'the state at the end is what actions add': [
    [ends(['state.left == 10 - sum(pay, p, p.n)'])],
    [ends(['state.left != 10 - sum(pay, p, p.n)']), 'r0'],
    [ends(['state.left > 10']), 'r0'],
    [ends(['state.left < 0']), 'final/state/left r0'],
    [ends(['state.left == 7']), undefined, [paid({ n: 3 })]],
    [ends(['state.left == 8']), 'r0', [paid({ n: 3 })]],
  ],
  'the state at the end is within its type': [
    [small(5, `times: 2..4, ${PAYS}, where: 'args.n <= 3'`)],
    [small(5, `times: 2..4, ${PAYS}, where: 'args.n >= 3'`), 'final/state/left …'],
    [small(5, `times: 1..4, effects: { left: state.left + args.n }, where: 'args.n >= 1'`), 'final/state/left …'],
    [small(2, `times: 0..4, ${PAYS}`), '/actions/0/state/left', [paid({ n: 3 })]],
  ],
  'several steps add to the same state': (
    [
      ['state.left > 10'],
      ['state.left > 22', 'r0'],
      ['state.left != 10 - sum(pay, p, p.n) + 2 * sum(look, l, l.n)', 'r0'],
    ] as const
  ).map(([rule, core]): Row => {
    const steps = 'look: { tool: look@1, times: 0..2, effects: { left: state.left + args.n * 2 } }';
    return [ends([rule], undefined, { steps }), core];
  }),
  'a state that actions may set is any of its type, if one follows': [
    'min(state.left, args.n)',
    'args.n',
    'state.left + state.left',
    'args.n + args.n',
  ].flatMap((effect): readonly Row[] => [
    [ends(['state.left == 20'], effect)],
    [ends(['state.left == 20', 'count(pay) == 0'], effect), 'r0 r1'],
    [ends(['state.left == 10', 'count(pay) == 0'], effect)],
    [ends(['state.left > 40'], effect), 'r0'],
  ]),
  'a state is at most what bounded amounts can add to it': [
    'state.left + args.n / 2',
    'state.left + state.other',
  ].flatMap((effect): readonly Row[] => [
    [ends(['state.left == 14'], effect)],
    [ends(['state.left > 14'], effect), 'r0'],
  ]),
  'a sum over other actions is not one of their own numbers': [
    'l.n',
    'l.n * 2 + 1',
    'max(l.n, 0)',
    'l.response.open',
    'max(l.response.open, 0)',
  ].map((body): Row => {
    const pay = `times: 2..4, where: 'args.n >= 2'`;
    return [
      { steps: LOOK, pay, rules: [`look.all(l, sum(pay, p, ${body}) <= 3)`, 'count(pay) == 3'] },
      undefined,
      [looked(0)],
    ];
  }),
});
