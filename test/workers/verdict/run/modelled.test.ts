import test from 'ava';
import { type Expression, literal } from '../../../../workers/plan/language/terms.ts';
import type { ValueType } from '../../../../workers/plan/language/types.ts';
import type { Value } from '../../../../workers/plan/language/values.ts';
import { findOversights } from '../../../../workers/plan/lint/oversights.ts';
import { readPlan } from '../../../../workers/plan/read/read-plan.ts';
import { elaborate } from '../../../../workers/verdict/elaborate/elaborate.ts';
import { knownOutcome } from '../../../../workers/verdict/elaborate/kleene.ts';
import { argumentsThatMatter } from '../../../../workers/verdict/run/depends-on-arguments.ts';
import { type Origins, originsAfter } from '../../../../workers/verdict/run/modelled.ts';
import { readActions } from '../../../../workers/verdict/run/read-actions.ts';
import { judgeReplay } from '../../../../workers/verdict/run/replay.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { catalogued, ORDER_TOOL, REFUND_TOOL } from '../../../models/catalogued.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { openAction, payPlan, stepOf } from '../../../models/pay-plan.ts';
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

interface Tools {
  readonly refund?: object;
  readonly read?: object;
}

/** A plan with other models of the refund and of the read. Without a model, a response is not checked. */
function planWith({ refund = {}, read = {} }: Tools, maxRecorded = 0) {
  const { plan, tools } = catalogued({
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
  return readPlan(plan, [], { tools, tables: [] });
}

function read(left: string, more = {}) {
  const { order_id } = pay('0.00', left).args;
  const response = { left, ...more };
  return { ...pay('', ''), step_id: 'read', tool: 'order.left', tool_version: '1.0.0', args: { order_id }, response };
}

/** How many of the actions are modelled and how many are recorded, or why the run is refused. */
function replayed(actions: readonly object[], tools: Tools, maxRecorded: number) {
  const plan = planWith(tools, maxRecorded);
  const { assurance, replay } = judgeReplay({ plan, actions: readActions(actions, plan) }, judge);
  return assurance === undefined ? replay.reasons[0]?.code : `${assurance.modelled}, ${assurance.recorded}`;
}

const SUBTRACT = ['-', ['state', 'refundable'], ['arg', 'amount']];
const refund = (effect: unknown) => ({ refund: { effects: { refundable: effect } } });
const IS_A1 = ['=', ['arg', 'order_id'], ['str', 'A1']];
const ONE = ['dec', '1.00'];
const IGNORED = ['*', ['int', '0'], ['arg', 'amount']];
const NIL = ['dec', '0.00'];
const LEFT = ['state', 'refundable'];
const OWN = ['resp', 'left'];
const NOTED = {
  responds: { ...REFUND.responds, note: { type: 'decimal', scale: 2, at: '/note' } },
  effects: { refundable: SUBTRACT, claimed: ['resp', 'note'] },
  observe: { refundable: 'left', claimed: 'note' },
};
const WITH_NOTE = { ...pay('80.00', '0.00'), response: { id: 'r1', left: '0.00', note: '1.00' } };
const COPY = { effects: { claimed: LEFT }, observe: { claimed: 'left' } };
const TIMED = ['ite', ['<', ['started'], ['time', '2026-11-28T00:00:00.000000Z']], NIL, ['dec', '80.00']];
/** The tool that reads, as a payment without a number among its arguments. */
const fixed = (effects: object) => ({
  effect: 'revenue_write',
  identity: 'id',
  effects,
  responds: { ...READ.responds, id: { type: 'string', max: 64, at: '/id' } },
});
const FIXED = read('0.00', { id: 'r2' });
const ALL = pay('80.00', '0.00');
const claiming = (left: string) => [pay('9999.00', left)];
const REPEATS = 'MODEL_REPEATS_RESPONSE /tools/0/observe';
const SILENT = 'MODEL_SAYS_NOTHING /tools/0/observe';

/** Lint is undefined where the case is about replay only, and `none` where no model is at fault. */
const MODELS: readonly (readonly [string, readonly object[], Tools, string, string?])[] = [
  ['repeats its response', claiming('0.00'), refund(OWN), '0, 1', REPEATS],
  ['computes with it', claiming('0.00'), refund(['+', ['-', SUBTRACT, SUBTRACT], OWN]), '0, 1', REPEATS],
  ['observes a constant', claiming('80.00'), { refund: { effects: {} } }, '0, 1', SILENT],
  ['keeps the state', claiming('80.00'), refund(LEFT), '0, 1', SILENT],
  ['sets a constant', claiming('0.00'), refund(NIL), '0, 1', SILENT],
  ['ignores its arguments', claiming('79.00'), refund(['-', LEFT, ONE]), '0, 1', SILENT],
  ['ignores what it mentions', claiming('80.00'), refund(['-', LEFT, IGNORED]), '0, 1'],
  ['ignores 1,000 amounts', Array<object>(1000).fill(pay('1.00', '80.00')), refund(['-', LEFT, IGNORED]), '0, 1000'],
  ['chooses equal values', claiming('0.00'), refund(['ite', IS_A1, NIL, ['-', LEFT, ['dec', '80.00']]]), '0, 1'],
  ['computes from a string', claiming('79.00'), refund(['-', LEFT, ['ite', IS_A1, ONE, NIL]]), '0, 1', SILENT],
  [
    'computes another value than it observes',
    claiming('80.00'),
    { refund: { effects: { claimed: ['-', ['state', 'claimed'], ['arg', 'amount']] } } },
    '0, 1',
    SILENT,
  ],
  ['keeps a part of its response', [WITH_NOTE], { refund: NOTED }, '0, 1', REPEATS],
  ['keeps its time', [ALL], { refund: { effects: { refundable: SUBTRACT, claimed: TIMED } } }, '0, 1', REPEATS],
  ['computes from its argument', [ALL], refund(SUBTRACT), '1, 0', 'none'],
  ['stops at the state', claiming('0.00'), refund(['-', LEFT, ['min', LEFT, ['arg', 'amount']]]), '1, 0'],
  ['counts little as one', [pay('0.50', '79.00')], refund(['-', LEFT, ['max', ONE, ['arg', 'amount']]]), '1, 0'],
  ['asks for an amount', [pay('70.00', '80.00')], refund(['ite', ['=', ['arg', 'amount'], LEFT], NIL, LEFT]), '1, 0'],
  ['changes what a read shows', [ALL, read('0.00')], {}, '2, 0', 'none'],
  ['differs from what a read shows', [ALL, read('1.00')], {}, 'RESPONSE_DIVERGES'],
  ['has not changed what a read shows', [read('80.00')], {}, '0, 1'],
  ['changes it after the read', [read('80.00'), ALL], {}, '1, 1'],
  ['repeats a response, which a read shows', [pay('1.00', '7.00'), read('7.00')], refund(OWN), '0, 2'],
  ['repeats it, and another state', [pay('1.00', '7.00'), read('7.00')], { ...refund(OWN), read: COPY }, '0, 2'],
  ['uses an earlier response', [read('50.00'), pay('50.00', '0.00')], { read: refund(OWN).refund }, '1, 1'],
  [
    'has no number and sets a constant',
    [FIXED],
    { read: fixed({ refundable: NIL }) },
    '0, 1',
    SILENT.replace('0', '1'),
  ],
  ['has no number and chooses', [FIXED], { read: fixed({ refundable: ['ite', IS_A1, NIL, ONE] }) }, '1, 0', 'none'],
  ['shows what another one computed', [ALL, FIXED], { read: fixed({}) }, '1, 1'],
  ['moves no money and sets a constant', [read('0.00')], { read: refund(NIL).refund }, '1, 0', 'none'],
];

for (const [what, actions, tools, expected, lint] of MODELS) {
  test(`a run with a model that ${what}: ${expected}`, (t) => {
    const recorded = Number(expected.split(', ')[1] ?? 0);
    t.is(replayed(actions, tools, recorded), expected);
    if (recorded > 0) t.is(replayed(actions, tools, recorded - 1), 'TOO_MANY_RECORDED');
    const found = findOversights(planWith(tools)).flatMap(({ code, path }) =>
      code.startsWith('MODEL_') ? `${code} ${path}` : [],
    );
    if (lint === 'none') t.deepEqual(found, []);
    else if (lint !== undefined) t.true(found.includes(lint), found.join());
  });
}

test('a read of a state that no action changes says nothing, and one that sets it from an argument does', (t) => {
  const lintOf = (tools: Tools) => findOversights(planWith(tools)).map(({ code, path }) => `${code} ${path}`);
  t.true(lintOf({ refund: { effects: {} } }).includes('MODEL_SAYS_NOTHING /tools/1/observe'));
  const args = { ...ORDER_TOOL.args, refundable: STATE };
  const set = { args, effects: { refundable: ['arg', 'refundable'] } };
  t.false(lintOf({ refund: { effects: {} }, read: set }).includes('MODEL_SAYS_NOTHING /tools/1/observe'));
});

const ARGS = { n: 1n, m: 0n, free: 500n, flag: false, kind: 'new', invoice: 'A', payee: 'P' };

/** The arguments that matter to an effect on `left`, which is 80 before. */
function matter(effect: string, args: Readonly<Record<string, Value>> = ARGS) {
  const state = 'left: { type: int, initial: 80 }';
  const plan = payPlan({ given: 'limit: 7777', state, pay: `times: 0..9, effects: { left: '${effect}' }` });
  const step = stepOf(plan);
  const expression = step.effects.get('left');
  if (expression === undefined) throw new Error('no effect');
  const { situation } = openAction(plan, step);
  const terms = (values: Iterable<readonly [string, Value]>) =>
    new Map([...values].map(([name, value]) => [name, literal(value)]));
  const names = { ...situation.names, arg: terms(Object.entries(args)), state: terms([['left', 80n]]) };
  let asked = 0;
  const valueWith = (values: ReadonlyMap<string, Value>) => {
    asked += 1;
    return knownOutcome(elaborate(expression, { ...situation, names: { ...names, arg: terms(values) } }));
  };
  return { names: [...argumentsThatMatter(expression, step.tool, { names, valueWith })].toSorted().join(' '), asked };
}

for (const [names, effects, args] of [
  ['free n', ['state.left - args.free + args.n']],
  ['', ['state.left - 0 * args.free', 'state.left', 'args.flag ? 1 : 1', 'args.free == limit - 43 ? 1 : 0']],
  ['flag', ['args.flag ? 1 : 0']],
  ['kind', ['args.kind == "old" ? 1 : 0']],
  ['payee', ['Bo', '', 'P'].map((to) => `args.payee == "${to}" ? 1 : 0`)],
  ['free', ['state.left - args.free', 'args.free > 12345 && args.free < 12347 ? 1 : 0']],
  ['free', ['args.free < 12346 && args.free > 12344 ? 1 : 0', 'args.free > 12345 ? 1 : 0']],
  ['free', ['args.free >= 100500 ? 1 : 0']],
  ['free', ['0', '-500', '1000', '-9500', '12345'].map((value) => `args.free == ${value} ? 1 : 0`)],
  ['free', ['', ' + 430', ' + 410'].map((more) => `args.free == state.left${more} ? 1 : 0`)],
  ['free', ['', ' - 1', ' + 1'].map((more) => `args.free == limit${more} ? 1 : 0`)],
  ['n', ['args.n > 1 ? 1 : 0'], { ...ARGS, n: 3n }],
  ['', ['args.n > 3 ? 1 : 0'], { ...ARGS, n: 3n }],
  [
    'free',
    [
      `state.left - args.free + 0 * (${Object.keys(ARGS)
        .slice(0, 3)
        .map((name) => `args.${name}`)
        .join(' + ')})`,
    ],
  ],
] as const) {
  for (const effect of effects) {
    test(`${names === '' ? 'no argument' : names} changes ${effect}`, (t) => t.is(matter(effect, args).names, names));
  }
}

test('the search for what an argument changes ends when it is found, and after 64 tries', (t) => {
  const many = Array.from({ length: 30 }, (_, index) => `(args.free == ${index * 1000} ? 0 : 0)`).join(' + ');
  t.deepEqual(
    ['state.left', 'state.left - args.free', many].map((effect) => matter(effect).asked),
    [1, 2, 65],
  );
});

test('the search for what all arguments change ends after 256 tries', (t) => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const referred = names.map((name) => ({ op: 'reference', scope: 'arg', name }) as const);
  const effect: Expression = {
    op: '+',
    args: [...referred, ...[3n, 30n, 300n, 3000n, 30_000n, 300_000n].map((value) => literal(value))],
  };
  let asked = 0;
  const valueWith = () => {
    asked += 1;
    return 0n;
  };
  const type = { type: 'int', min: -(10n ** 20n), max: 10n ** 20n } as const;
  const args = new Map(names.map((name): [string, ValueType] => [name, type]));
  const arg = new Map(names.map((name) => [name, literal(7n)]));
  t.is(argumentsThatMatter(effect, { args }, { names: { arg }, valueWith }).size, 0);
  t.is(asked, 257);
});

test('an entry of a map that is made of a response is only reported, and stays so', (t) => {
  const changed = (entry: string, origins: Origins = new Map()) => {
    const state = 'sent: "map(string(64), int, default 0)"';
    const step = stepOf(payPlan({ state, pay: `times: 0..4, effects: { ${entry} }` }));
    return originsAfter(step, { origins, before: new Map(), after: new Map() });
  };
  const reported = changed("'sent[args.payee]': response.fee");
  t.is(reported.get('sent'), 'responses');
  t.is(changed("'sent[response.note]': args.n").get('sent'), 'responses');
  t.is(changed("'sent[args.payee]': args.n").get('sent'), 'run');
  t.is(changed("'sent[args.payee]': args.n", reported).get('sent'), 'responses');
});
