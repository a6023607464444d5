import test from 'ava';
import { defined } from '../../../../workers/exact/defined.ts';
import { literal } from '../../../../workers/plan/language/terms.ts';
import { findOversights } from '../../../../workers/plan/lint/oversights.ts';
import { readPlan as readNamed } from '../../../../workers/plan/read/read-plan.ts';
import { argumentsThatMatter } from '../../../../workers/verdict/run/depends-on-arguments.ts';
import { readActions } from '../../../../workers/verdict/run/read-actions.ts';
import { judgeReplay } from '../../../../workers/verdict/run/replay.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { catalogued, ORDER_TOOL, REFUND_TOOL, type WithTools } from '../../../models/catalogued.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { REFUND_PLAN } from '../../../models/refund-plan.ts';
import { pay } from '../../../models/refund-run.ts';

const judge = { solver: await sharedZ3(), rlimit: DEFAULT_RLIMIT };
const STATE = { type: 'decimal', scale: 2 };
const DESCRIBED = { tool_format: 2, state: { refundable: STATE, claimed: STATE }, limits: [] };
const REFUND = { ...REFUND_TOOL, ...DESCRIBED };
const MONEY = { ...STATE, initial: '80.00' };
const PAY = { ...REFUND_PLAN.steps[1], where: [], after: [], min: 0 };
/** A tool that reads the refundable amount. */
const READ = {
  ...ORDER_TOOL,
  ...DESCRIBED,
  name: 'order.left',
  replay: 'effects',
  responds: { left: { type: 'decimal', scale: 2, at: '/left' } },
  observe: { refundable: 'left' },
};

function readPlan<Plan extends WithTools>(document: Plan) {
  const { plan, tools } = catalogued(document);
  return readNamed(plan, [], { tools, tables: [] });
}

interface Tools {
  readonly refund?: object;
  readonly read?: object;
  readonly maxRecorded?: number;
}

/** A plan with other models of the refund and of the read. Without a model, a response is not checked. */
const planWith = ({ refund = {}, read = {}, maxRecorded = 0 }: Tools) =>
  readPlan({
    ...REFUND_PLAN,
    max_recorded: maxRecorded,
    state: { refundable: MONEY, claimed: MONEY },
    tools: [
      { ...REFUND, ...refund },
      { ...READ, ...read },
    ],
    steps: [PAY, { ...PAY, step_id: 'read', tool: 'order.left@1.0.0', evidence: [] }],
    constraints: [],
  });

const read = (left: string) => {
  const { amount: _, ...args } = pay('0.00', left).args;
  return { ...pay('0.00', left), step_id: 'read', tool: 'order.left', tool_version: '1.0.0', args, response: { left } };
};

function replay(actions: readonly object[], tools: Tools) {
  const plan = planWith(tools);
  const result = judgeReplay({ plan, actions: readActions(actions, plan) }, judge);
  return result.assurance ?? result.replay.reasons[0]?.code;
}

const lintOf = (tools: Tools) => findOversights(planWith(tools)).map(({ code, path }) => `${code} ${path}`);

const SUBTRACT = ['-', ['state', 'refundable'], ['arg', 'amount']];
const RELIANCE = { ghost_states: [], reported_times: false };
const MODELLED = { recomputed: 0, modelled: 1, recorded: 0, ...RELIANCE };
const RECORDED = { recomputed: 0, modelled: 0, recorded: 1, ...RELIANCE };

const IGNORE = ['-', ['state', 'refundable'], ['*', ['int', '0'], ['arg', 'amount']]];
const IS_A1 = ['=', ['arg', 'order_id'], ['str', 'A1']];
const CHOOSE = ['ite', IS_A1, ['dec', '0.00'], ['-', ['state', 'refundable'], ['dec', '80.00']]];
/** Models of a refund of 9999.00 out of 80.00 that agree with the response "0.00" or "80.00". */
const REFUNDS: readonly (readonly [string, string, object, string | undefined])[] = [
  ['repeats its response', '0.00', { effects: { refundable: ['resp', 'left'] } }, 'MODEL_REPEATS_RESPONSE'],
  [
    'computes with its response',
    '0.00',
    { effects: { refundable: ['+', ['-', SUBTRACT, SUBTRACT], ['resp', 'left']] } },
    'MODEL_REPEATS_RESPONSE',
  ],
  ['observes a constant', '80.00', { effects: {} }, 'MODEL_SAYS_NOTHING'],
  ['keeps the state', '80.00', { effects: { refundable: ['state', 'refundable'] } }, 'MODEL_SAYS_NOTHING'],
  ['sets a constant', '0.00', { effects: { refundable: ['dec', '0.00'] } }, 'MODEL_SAYS_NOTHING'],
  [
    'ignores its arguments',
    '79.00',
    { effects: { refundable: ['-', ['state', 'refundable'], ['dec', '1.00']] } },
    'MODEL_SAYS_NOTHING',
  ],
  ['mentions its argument and ignores it', '80.00', { effects: { refundable: IGNORE } }, undefined],
  ['chooses between equal values', '0.00', { effects: { refundable: CHOOSE } }, undefined],
  [
    'computes from its string alone',
    '79.00',
    {
      effects: {
        refundable: ['-', ['state', 'refundable'], ['ite', IS_A1, ['dec', '1.00'], ['dec', '0.00']]],
      },
    },
    'MODEL_SAYS_NOTHING',
  ],
  [
    'computes another value than it observes',
    '80.00',
    { effects: { claimed: ['-', ['state', 'claimed'], ['arg', 'amount']] } },
    'MODEL_SAYS_NOTHING',
  ],
];

for (const [what, left, refund, code] of REFUNDS) {
  test(`a payment whose model ${what} counts as recorded, and lint says so`, (t) => {
    t.is(replay([pay('9999.00', left)], { refund }), 'TOO_MANY_RECORDED');
    t.deepEqual(replay([pay('9999.00', left)], { refund, maxRecorded: 1 }), RECORDED);
    // Lint looks at the names in an effect.
    t.is(lintOf({ refund }).includes(`${code} /tools/0/observe`), code !== undefined);
  });
}

test('an action that keeps a part of its response in the state counts as recorded, whatever else it computes', (t) => {
  const responds = { ...REFUND.responds, note: { type: 'decimal', scale: 2, at: '/note' } };
  const effects = { refundable: SUBTRACT, claimed: ['resp', 'note'] };
  const refund = { responds, effects, observe: { refundable: 'left', claimed: 'note' } };
  const action = { ...pay('80.00', '0.00'), response: { id: 'r1', left: '0.00', note: '1.00' } };
  t.is(replay([action], { refund }), 'TOO_MANY_RECORDED');
  t.deepEqual(replay([action], { refund, maxRecorded: 1 }), RECORDED);
  t.true(lintOf({ refund }).includes('MODEL_REPEATS_RESPONSE /tools/0/observe'));
});

for (const [what, amount, left, effect] of [
  [
    'stops at the state',
    '9999.00',
    '0.00',
    ['-', ['state', 'refundable'], ['min', ['state', 'refundable'], ['arg', 'amount']]],
  ],
  [
    'counts small amounts as one',
    '0.50',
    '79.00',
    ['-', ['state', 'refundable'], ['max', ['dec', '1.00'], ['arg', 'amount']]],
  ],
  [
    'asks for one amount',
    '70.00',
    '80.00',
    ['ite', ['=', ['arg', 'amount'], ['state', 'refundable']], ['dec', '0.00'], ['state', 'refundable']],
  ],
] as const) {
  test(`a payment whose model ${what} depends on its arguments, and is modelled`, (t) => {
    t.deepEqual(replay([pay(amount, left)], { refund: { effects: { refundable: effect } } }), MODELLED);
  });
}

test('an argument that matters is found among many that do not', (t) => {
  const ignored = Array.from({ length: 16 }, (_, index) => `ignored_${index}`);
  const args = Object.fromEntries([...ignored, 'amount'].map((name) => [name, { type: 'decimal', scale: 2 }]));
  const product = (name: string) => ['*', ['int', '0'], ['arg', name]];
  const effect = [
    '-',
    ['state', 'refundable'],
    ['+', ...ignored.slice(0, 8).map(product), ['arg', 'amount'], ...ignored.slice(8).map(product)],
  ];
  const [step] = planWith({ refund: { args, effects: { refundable: effect } } }).steps;
  const tool = step?.tool;
  const expression = tool?.effects.get('refundable');
  if (tool === undefined || expression === undefined) return t.fail();
  const arg = new Map([...tool.args.keys()].map((name) => [name, literal(7n)]));
  const state = new Map([['refundable', literal(8000n)]]);
  const left = (args: ReadonlyMap<string, unknown>) => `${args.get('amount')}`;
  return t.deepEqual(
    [...argumentsThatMatter(expression, tool, { names: { arg, state }, valueWith: left })],
    ['amount'],
  );
});

test('a read of a state that the arguments of an earlier action have changed is modelled', (t) => {
  t.deepEqual(replay([pay('80.00', '0.00'), read('0.00')], {}), { ...MODELLED, modelled: 2 });
  t.is(replay([pay('80.00', '0.00'), read('1.00')], {}), 'RESPONSE_DIVERGES');
});

test('a read of a state that nothing has changed yet is recorded', (t) => {
  t.is(replay([read('80.00')], {}), 'TOO_MANY_RECORDED');
  t.deepEqual(replay([read('80.00'), pay('80.00', '0.00')], { maxRecorded: 1 }), { ...MODELLED, recorded: 1 });
});

test('a read that can only repeat an earlier response is recorded', (t) => {
  const refund = { effects: { refundable: ['resp', 'left'] } };
  t.deepEqual(replay([pay('1.00', '7.00'), read('7.00')], { refund, maxRecorded: 2 }), { ...RECORDED, recorded: 2 });
  const copy = { effects: { claimed: ['state', 'refundable'] }, observe: { claimed: 'left' } };
  t.is(replay([pay('1.00', '7.00'), read('7.00')], { refund, read: copy, maxRecorded: 1 }), 'TOO_MANY_RECORDED');
});

test('a payment that is computed from its argument and an earlier response is modelled', (t) => {
  const learn = { effects: { refundable: ['resp', 'left'] } };
  const run = [read('50.00'), pay('50.00', '0.00')];
  t.deepEqual(replay(run, { read: learn, maxRecorded: 1 }), { ...MODELLED, recorded: 1 });
});

test('an action that keeps a time that it reports counts as recorded', (t) => {
  const at = ['ite', ['<', ['started'], ['time', '2026-11-28T00:00:00.000000Z']], ['dec', '0.00'], ['dec', '80.00']];
  const refund = { effects: { refundable: SUBTRACT, claimed: at } };
  t.deepEqual(replay([pay('80.00', '0.00')], { refund: { effects: { refundable: SUBTRACT } } }), MODELLED);
  t.like(replay([pay('80.00', '0.00')], { refund, maxRecorded: 1 }), { modelled: 0, recorded: 1 });
  t.true(lintOf({ refund }).includes('MODEL_REPEATS_RESPONSE /tools/0/observe'));
});

test('a state that an argument of the same name sets is computed', (t) => {
  const args = { ...ORDER_TOOL.args, refundable: { type: 'decimal', scale: 2 } };
  t.false(
    lintOf({ read: { args, effects: { refundable: ['arg', 'refundable'] } } }).includes(
      'MODEL_SAYS_NOTHING /tools/1/observe',
    ),
  );
});

/** The tool that reads, as a payment without a number among its arguments. */
const fixedPayment = (effects: object) => ({
  effect: 'revenue_write',
  identity: 'id',
  effects,
  responds: { ...READ.responds, id: { type: 'string', max: 64, at: '/id' } },
});
const FIXED = { ...read('0.00'), response: { left: '0.00', id: 'r2' } };

test('a payment without a number among its arguments is modelled only if an argument matters', (t) => {
  const constant = { read: fixedPayment({ refundable: ['dec', '0.00'] }) };
  const chosen = { read: fixedPayment({ refundable: ['ite', IS_A1, ['dec', '0.00'], ['dec', '1.00']] }) };
  t.deepEqual(replay([FIXED], { ...constant, maxRecorded: 1 }), RECORDED);
  t.deepEqual(replay([FIXED], { ...chosen, maxRecorded: 1 }), MODELLED);
  t.true(lintOf(constant).includes('MODEL_SAYS_NOTHING /tools/1/observe'));
  t.false(lintOf(chosen).includes('MODEL_SAYS_NOTHING /tools/1/observe'));
});

test('a payment that only shows what another action has computed is recorded', (t) => {
  const tools = { read: fixedPayment({}), maxRecorded: 1 };
  t.like(replay([pay('80.00', '0.00'), FIXED], tools), { modelled: 1, recorded: 1 });
});

test('an act that does not move money and sets the state to a constant is modelled', (t) => {
  const close = { effects: { refundable: ['dec', '0.00'] } };
  t.deepEqual(replay([read('0.00')], { read: close }), MODELLED);
});

test('a read of a state that no action changes says nothing, and a read that sets it does', (t) => {
  const refund = { effects: {} };
  t.true(lintOf({ refund }).includes('MODEL_SAYS_NOTHING /tools/1/observe'));
  const close = { effects: { refundable: ['dec', '0.00'] } };
  t.false(lintOf({ refund, read: close }).includes('MODEL_SAYS_NOTHING /tools/1/observe'));
  t.false(lintOf({}).includes('MODEL_SAYS_NOTHING /tools/1/observe'));
});

test('a plan whose shortest run has more recorded actions than it allows is lint', (t) => {
  const plan = readPlan({ ...REFUND_PLAN, max_recorded: 0 });
  const message = 'every run has at least 1 recorded actions, so no run can be proven unless the plan allows 1';
  t.deepEqual(findOversights(plan), [{ code: 'TOO_MANY_RECORDED', path: '/max_recorded', message }]);
});

const [, RECEIPT_STEP] = REFUND_PLAN.steps;
const [RECEIPT] = defined(RECEIPT_STEP).evidence;
const ID = ['=', ['resp', 'id'], ['ev', 'id']];
const bound = (...rules: readonly unknown[]) => {
  const binds = rules.map((expr, index) => ({ id: `b${index}`, expr }));
  const steps = [REFUND_PLAN.steps[0], { ...RECEIPT_STEP, evidence: [{ ...RECEIPT, binds }] }];
  return findOversights(readPlan({ ...REFUND_PLAN, tools: [ORDER_TOOL, REFUND_TOOL], steps })).map(({ code, path }) => [
    code,
    path,
  ]);
};

test('evidence of a payment that is not bound to its identity is lint', (t) => {
  const found = [['EVIDENCE_NOT_BOUND', '/steps/1/evidence/0/binds']];
  t.deepEqual(bound(['=', ['ev', 'amount'], ['arg', 'amount']]), found);
  t.deepEqual(bound(['=', ['ev', 'id'], ['arg', 'order_id']]), found);
  t.deepEqual(bound(['=', ['ev', 'amount'], ['resp', 'left']]), found);
  t.deepEqual(bound(['or', ID, ['=', ['ev', 'amount'], ['arg', 'amount']]]), found);
  t.deepEqual(bound(ID), []);
  t.deepEqual(bound(['and', ['=', ['ev', 'amount'], ['arg', 'amount']], ID]), []);
});
