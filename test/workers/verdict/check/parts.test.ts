import test from 'ava';
import { checkProposal, checkRun, preflight, readRecorded } from '../../../../workers/verdict/check/check-actions.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { MAIL_TOOLS, mailPlan } from '../../../models/mail-plan.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { textsOf } from '../../../models/plan-texts.ts';

const by = { solver: await sharedZ3(), rlimit: DEFAULT_RLIMIT };
const ARGS = { to: ['a@x.org'], subject: 'Hi', from: { name: 'Al' }, lines: [] as readonly object[] };
const LINE = { sku: 'A', price: '10.00', quantity: '2' };
const RESPONSE = { id: 'm1', sent: [{ to: 'a@x.org', ok: true }] };
const at = '2026-12-01T00:00:00.000000Z';

type Args = Readonly<Record<string, unknown>>;
const intent = (args: Args) => {
  const given = Object.fromEntries(Object.entries({ ...ARGS, ...args }).filter(([, value]) => value !== undefined));
  return { step_id: 'send', tool: 'mail.send', tool_version: '1.0.0', args: given };
};
const act = (args: Args = {}, report: object = { response: RESPONSE }) => ({
  ...intent(args),
  ...report,
  started_at: at,
  ended_at: at,
});
const documents = (where: readonly string[], rules: readonly string[] = []) => ({
  plan: mailPlan(where, rules).plan,
  tools: textsOf(MAIL_TOOLS),
});

/** A condition of each act, arguments that meet it, and arguments that do not. */
const CONDITIONS: readonly (readonly [condition: string, good: readonly Args[], bad: readonly Args[]])[] = [
  [
    'args.to.all(t, t in allowed)',
    [{}, { to: ['a@x.org', 'b@x.org'] }],
    [{ to: ['c@x.org'] }, { to: ['a@x.org', 'c@x.org'] }],
  ],
  ['args.to.exists(t, t == "b@x.org")', [{ to: ['a@x.org', 'b@x.org'] }], [{}]],
  ['"b@x.org" in args.to', [{ to: ['b@x.org'] }], [{}]],
  ['unique(args.to, t, t)', [{}, { to: ['a@x.org', 'b@x.org'] }], [{ to: ['a@x.org', 'a@x.org'] }]],
  ['size(args.to) == 2', [{ to: ['a@x.org', 'b@x.org'] }], [{}, { to: ['a@x.org', 'b@x.org', 'c@x.org'] }]],
  [
    'sum(args.lines, l, l.price * l.quantity) <= 40.00',
    [{}, { lines: [LINE, LINE] }],
    [{ lines: [LINE, LINE, { ...LINE, price: '0.01', quantity: '1' }] }],
  ],
  [
    'sum(args.lines, l, l.price, l.quantity > 2) <= 9.99',
    [{ lines: [LINE] }],
    [{ lines: [{ ...LINE, quantity: '3' }] }],
  ],
  [
    'count(args.lines, l, l.sku == "A") == 1',
    [{ lines: [LINE, { ...LINE, sku: 'B' }] }],
    [{}, { lines: [LINE, LINE] }],
  ],
  ['args.lines.all(l, l.price > 0.00)', [{}], [{ lines: [LINE, { ...LINE, price: '0.00' }] }]],
  // What is absent has no value, so neither a comparison nor its opposite holds.
  ['args.note == "x"', [{ note: 'x' }], [{}, { note: 'y' }]],
  ['args.note != "x"', [{ note: 'y' }], [{}, { note: 'x' }]],
  ['!has(args.note) || args.note != "x"', [{}, { note: 'y' }], [{ note: 'x' }]],
  ['has(args.cc) && args.cc.all(c, c in allowed)', [{ cc: ['a@x.org'] }], [{}, { cc: ['c@x.org'] }]],
  ['args.cc.all(c, c in allowed)', [{}, { cc: ['b@x.org'] }], [{ cc: ['c@x.org'] }]],
  ['size(args.cc) == 0', [{}], [{ cc: ['a@x.org'] }]],
  ['args.lines.all(l, l.gift)', [{}, { lines: [{ ...LINE, gift: true }] }], [{ lines: [LINE] }]],
  ['args.lines.exists(l, has(l.gift))', [{ lines: [LINE, { ...LINE, gift: false }] }], [{}, { lines: [LINE] }]],
  ['args.from.name == "Al"', [{}], [{ from: { name: 'Bo' } }]],
  ['args.from.team == "ops"', [{ from: { name: 'Al', team: 'ops' } }], [{}, { from: { name: 'Al', team: 'it' } }]],
  [
    'args.from.unit.floor <= 3',
    [{ from: { name: 'Al', unit: { floor: '3' } } }],
    [{}, { from: { name: 'Al', unit: { floor: '4' } } }],
  ],
  ['has(args.from.unit)', [{ from: { name: 'Al', unit: { floor: '0' } } }], [{}]],
  ['args.to.all(t, !has(args.cc) || args.cc.all(c, c != t))', [{}, { cc: ['b@x.org'] }], [{ cc: ['a@x.org'] }]],
];

test('a condition about lists, objects and optional parts holds or not, wherever it is asked', (t) => {
  for (const [condition, good, bad] of CONDITIONS) {
    const plan = documents([`c: ${JSON.stringify(condition)}`]);
    for (const [args, verdict] of [
      ...good.map((each) => [each, 'satisfied'] as const),
      ...bad.map((each) => [each, 'violated'] as const),
    ]) {
      const said = `${condition} ${JSON.stringify(args)}`;
      const proposed = { ...plan, actions: [intent(args)] };
      for (const mode of ['complete', 'prefix'] as const) {
        const asked = checkProposal(proposed, { check: 'plan_alignment', mode, solver: by });
        t.is(asked.judgement.verdict, verdict, `${mode} ${said}`);
      }
      const done = checkRun({ ...plan, actions: [act(args)] }, { check: 'plan_alignment', solver: by });
      t.is(done.judgement.verdict, verdict, said);
      const next = preflight({ ...plan, done: [act(good[0])], action: intent(args) }, by);
      t.is(next.alignment.verdict, verdict, `preflight ${said}`);
    }
  }
});

/** A rule about the run, with acts that meet it and acts that do not. */
const RULES: readonly (readonly [rule: string, good: readonly object[], bad: readonly object[]])[] = [
  [
    'send.all(s, s.to.all(t, s.sent.exists(r, r.to == t && r.ok)))',
    [act()],
    [act({}, { response: { id: 'm', sent: [] } })],
  ],
  ['send.all(s, !has(s.warning))', [act()], [act({}, { response: { ...RESPONSE, warning: 'late' } })]],
  // What a tool leaves out may also be null.
  ['send.all(s, !has(s.response.warning))', [act({}, { response: { ...RESPONSE, warning: null } })], []],
  ['sum(send, s, size(s.to)) <= 2', [act(), act()], [act(), act({ to: ['a@x.org', 'b@x.org'] })]],
  [
    'sum(send, s, sum(s.lines, l, l.price * l.quantity)) <= cap',
    [act({ lines: [LINE] })],
    [act({ lines: [LINE, LINE, LINE] }), act({ lines: [LINE, LINE, LINE] })],
  ],
  ['send.all(s, send.all(o, s.from.name == o.from.name))', [act(), act()], [act(), act({ from: { name: 'Bo' } })]],
  ['sum(send, s, s.cost) <= cap', [act({}, { response: { ...RESPONSE, cost: 1 } })], [act()]],
  ['unique(send, s, s.note)', [act({ note: 'a' }), act({ note: 'b' })], [act({ note: 'a' }), act()]],
  // An act that failed never helps: its note is not known to be the only one.
  ['send.exists(s, s.note == "a")', [act({ note: 'a' })], [act({ note: 'a' }, { outcome: 'failed' })]],
  ['sum(send, s, size(s.to)) <= 1', [act()], [act(), act({}, { outcome: 'unknown' })]],
  // Its response may have any length.
  ['send.all(s, size(s.sent) <= 2)', [act()], [act(), act({}, { outcome: 'unknown' })]],
  ['send.all(s, size(s.sent) <= 3)', [act(), act({}, { outcome: 'unknown' })], []],
];

test('a rule about lists, objects and optional parts holds or not, also with acts that have no response', (t) => {
  for (const [rule, good, bad] of RULES) {
    const plan = documents([], [`r: ${JSON.stringify(rule)}`]);
    for (const [actions, verdict] of [
      [good, 'satisfied'],
      [bad, 'violated'],
    ] as const) {
      if (actions.length === 0) continue;
      const { judgement } = checkRun({ ...plan, actions }, { check: 'constraints', solver: by });
      t.is(judgement.verdict, verdict, `${rule} ${JSON.stringify(judgement.reasons)}`);
    }
  }
});

test('what further acts cannot mend is violated before the act, with the values', (t) => {
  for (const [rule, message] of [
    ['unique(send, s, s.subject)', 'action 1 of the run and action 2 of the run have the same subject "Hi"'],
    ['sum(send, s, size(s.to)) <= 1', '2 <= 1 is false'],
    ['allowed.all(r, count(send, o, r.email in o.to) <= 1)', 'for the row "a@x.org", 2 <= 1 is false'],
    ['send.all(s, s.to.all(t, count(send, o, t in o.to) <= 1))', ''],
    ['!send.exists(s, send.exists(o, before(s, o) && s.subject == o.subject))', ''],
  ] as const) {
    const plan = documents([], [`r: ${JSON.stringify(rule)}`]);
    const { constraints } = preflight({ ...plan, done: [act()], action: intent({}) }, by);
    t.is(constraints.verdict, 'violated', rule);
    t.true(constraints.reasons[0]?.message.includes(message), JSON.stringify(constraints.reasons));
  }
});

test('arguments have what the tool declares, and nothing else', (t) => {
  const plan = documents([]);
  for (const [args, code, path, message] of [
    [{ to: 'a@x.org' }, 'MALFORMED_VALUE', '/to', 'is not a list'],
    [{ to: [] }, 'OUT_OF_RANGE', '/to', 'has 0 elements, and 1 to 3 are allowed'],
    [{ to: Array(4).fill('a@x.org') }, 'OUT_OF_RANGE', '/to', 'has 4 elements, and 1 to 3 are allowed'],
    [{ to: ['a@x.org', 'A@x.org'] }, 'NOT_FOLDED', '/to/1', 'is not folded (email): write "a@x.org"'],
    [{ to: ['a@x.org', null] }, 'MALFORMED_VALUE', '/to/1', 'is not a string'],
    [{ to: { 0: 'a@x.org', length: 1 } }, 'MALFORMED_VALUE', '/to', 'is not a list'],
    [{ cc: [] }, 'OUT_OF_RANGE', '/cc', 'has 0 elements, and 1 to 2 are allowed'],
    [{ cc: null }, 'MALFORMED_VALUE', '/cc', 'is not a list'],
    [{ note: null }, 'MALFORMED_VALUE', '/note', 'is not a string'],
    [{ from: 'Al' }, 'MALFORMED_VALUE', '/from', 'is not an object'],
    [{ from: ['Al'] }, 'MALFORMED_VALUE', '/from', 'is not an object'],
    [{ from: {} }, 'MALFORMED_VALUE', '/from/name', 'is missing'],
    [{ from: { name: 'Al', age: 3 } }, 'UNKNOWN_NAME', '/from', 'has a member that the tool does not declare'],
    [{ lines: [LINE, { ...LINE, price: '1' }] }, 'WRONG_SCALE', '/lines/1/price', 'does not have exactly 2 decimals'],
    [{ lines: [{ ...LINE, gift: 'yes' }] }, 'MALFORMED_VALUE', '/lines/0/gift', 'is neither true nor false'],
    [{ lines: [{ sku: 'A', price: '1.00' }] }, 'MALFORMED_VALUE', '/lines/0/quantity', 'is missing'],
    [{ subject: undefined }, 'MALFORMED_VALUE', '/subject', 'is missing'],
    [{ 'from/name': 'Al' }, 'UNKNOWN_NAME', '', 'has an argument that the tool does not declare'],
    [{ 'note?': true }, 'UNKNOWN_NAME', '', 'has an argument that the tool does not declare'],
  ] as const) {
    const { judgement } = checkProposal(
      { ...plan, actions: [intent(args)] },
      { check: 'plan_alignment', mode: 'complete', solver: by },
    );
    t.like(judgement.reasons[0], { path: `/actions/0/args${path}`, message }, JSON.stringify(args));
    // What was done is kept as it was sent.
    const { actions } = readRecorded({ ...plan, actions: [act(args)] });
    t.like(actions[0]?.fault, { code, path: `/actions/0/args${path}` });
  }
});

test('a response has what the tool declares, and what it has besides is ignored', (t) => {
  const plan = documents([]);
  const judge = (response: object) =>
    checkRun({ ...plan, actions: [act({}, { response })] }, { check: 'constraints', solver: by }).judgement;
  t.is(judge({ ...RESPONSE, extra: 1, sent: [{ ...RESPONSE.sent[0], extra: [] }] }).verdict, 'satisfied');
  t.like(judge({ ...RESPONSE, sent: null }).reasons[0], { path: '/actions/0/response/sent', message: 'is not a list' });
  t.like(judge({ ...RESPONSE, sent: [{ to: 'a' }] }).reasons[0], { path: '/actions/0/response/sent/0/ok' });
  t.like(judge({ ...RESPONSE, cost: '0.5' }).reasons[0], { path: '/actions/0/response/cost' });
});

test('a reason says what an element is, and which part is missing', (t) => {
  for (const [rule, args, message] of [
    ['send.all(s, s.to.all(t, t in allowed))', { to: ['a@x.org', 'c@x.org'] }, '"c@x.org" in allowed is false'],
    ['send.all(s, size(s.lines) <= 1)', { lines: [LINE, LINE] }, '2 <= 1 is false'],
    ['send.all(s, has(s.note))', {}, 'note is missing'],
    ['send.all(s, !has(s.from.team))', { from: { name: 'Al', team: 'it' } }, 'from.team is there'],
    ['unique(send, s, s.from.name)', {}, 'action 1 of the run and action 2 of the run have the same from.name "Al"'],
  ] as const) {
    const plan = documents([], [`r: ${JSON.stringify(rule)}`]);
    const actions = rule.startsWith('unique') ? [act(args), act(args)] : [act(args)];
    const { judgement } = checkRun({ ...plan, actions }, { check: 'constraints', solver: by });
    t.true(judgement.reasons[0]?.message.includes(message), `${rule}: ${JSON.stringify(judgement.reasons)}`);
  }
});
