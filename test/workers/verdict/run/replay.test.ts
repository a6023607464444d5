import test from 'ava';
import { readPlan } from '../../../../workers/plan/read/read-plan.ts';
import type { SmtSolver } from '../../../../workers/verdict/decide/smt-solver.ts';
import { readActions } from '../../../../workers/verdict/run/read-actions.ts';
import { judgeReplay } from '../../../../workers/verdict/run/replay.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { REFUND_PLAN } from '../../../models/refund-plan.ts';
import { BOUNDED_PLAN, look, pay, plan } from '../../../models/refund-run.ts';
import { refuses } from '../thrown.ts';

const z3 = await sharedZ3();
const replay = (actions: readonly unknown[], by = plan, solver: SmtSolver = z3) =>
  judgeReplay({ plan: by, actions: readActions(actions, by) }, { solver, rlimit: DEFAULT_RLIMIT });

const PAID = pay('80.00', '0.00');
const TWICE = [pay('50.00', '30.00'), pay('30.00', '0.00', 'r2')];
const BOTH = 'evaluator+z3';
const [ORDER, REFUND] = REFUND_PLAN.tools;
const tools = (order: object, refund: object = {}) =>
  readPlan({
    ...REFUND_PLAN,
    tools: [
      { ...ORDER, ...order },
      { ...REFUND, ...refund },
    ],
  });

for (const [actions, modelled] of [
  [[look, PAID], 1],
  [[look, ...TWICE], 2],
] as const) {
  test(`a run with ${modelled} payments whose responses follow from them is replayed by both engines`, (t) => {
    const answer = replay(actions);
    t.like(answer.replay, { verdict: 'satisfied', engine: BOTH, checks: [{ status: 'sat' }] });
    const reliance = { failed: 0, unknown: 0, ghost_states: [], reported_times: false };
    t.deepEqual(answer.assurance, { recomputed: 0, modelled, recorded: 1, ...reliance });
  });
}

const SMALL = tools({ post: [{ id: 'small', expr: ['<=', ['resp', 'total'], ['dec', '79.99']] }] });
const HELD = tools({}, { post: [{ id: 'left', expr: ['<=', ['arg', 'amount'], ['state', 'refundable']] }] });
const OVER = [look, pay('50.00', '30.00'), pay('40.00', '-10.00', 'r2'), pay('5.00', '-15.00', 'r3')];

for (const [what, actions, code, path, by, message] of [
  [
    'a forged response',
    [look, pay('80.00', '10.00')],
    'RESPONSE_DIVERGES',
    '/actions/1/response/left',
    plan,
    'refundable is 0.00, and the response says 10.00',
  ],
  [
    'two divergences',
    [look, pay('50.00', '20.00'), pay('30.00', '5.00', 'r2')],
    'RESPONSE_DIVERGES',
    '/actions/1/response/left',
  ],
  [
    'more recorded actions than the plan allows',
    [look],
    'TOO_MANY_RECORDED',
    '/actions/0',
    readPlan({ ...REFUND_PLAN, max_recorded: 0 }),
  ],
  [
    'a state outside its type',
    [look, pay('90.00', '-10.00')],
    'STATE_OUT_OF_RANGE',
    '/actions/1/state/refundable',
    readPlan(BOUNDED_PLAN),
  ],
  ['a broken condition of a tool', [look], 'POST_BROKEN', '/actions/0/post/small', SMALL],
  [
    'a condition that breaks later',
    OVER,
    'POST_BROKEN',
    '/actions/2/post/left',
    HELD,
    'is not met: 40.00 <= 30.00 is false',
  ],
] as const) {
  test(`of a run with ${what}, the first divergence is reported, and no assurance is given`, (t) => {
    const answer = replay(actions, by);
    t.is(answer.replay.verdict, 'violated');
    t.is(answer.replay.reasons.length, 1);
    t.like(answer.replay.reasons[0], { code, path, ...(message === undefined ? {} : { message }) });
    t.is(answer.assurance, undefined);
  });
}

/** z3, which errs about the state after the first payment. */
const mistaken: SmtSolver = {
  check: ({ assertions, ...query }) => {
    const wrong = assertions.map(({ name, term }) => ({ name, term: term.replaceAll('(= 3000 ', '(= 3001 ') }));
    return z3.check({ ...query, assertions: wrong });
  },
};
const tired: SmtSolver = { check: () => ({ status: 'unknown', reason: 'rlimit', rlimitUsed: 1, script: '' }) };
for (const [what, solver, verdict, code] of [
  ['finds another state', mistaken, 'engine_error', 'ENGINE_FAULT'],
  ['gives up', tired, 'indeterminate', 'SOLVER_GAVE_UP'],
] as const) {
  test(`a solver that ${what} lets no replay pass`, (t) => {
    const answer = replay([look, ...TWICE], plan, solver);
    t.like(answer.replay, { verdict, engine: 'none', reasons: [{ code }] });
    t.is(answer.assurance, undefined);
  });
}

test('1,000 actions are replayed with one question', (t) => {
  const left = (index: number) => (79.92 - index * 0.08).toFixed(2);
  const run = Array.from({ length: 1000 }, (_, index) => pay('0.08', left(index), `r${index}`));
  const answer = replay(run);
  t.like(answer.replay, { verdict: 'satisfied', engine: BOTH, reasons: [] });
  t.is(answer.replay.checks.length, 1);
  t.like(answer.assurance, { modelled: 1000, recorded: 0 });
  const forged = replay(run.with(499, pay('0.08', '40.01', 'r499'))).replay;
  t.like(forged, { verdict: 'violated', core: ['/actions/499/response/left'] });
});

const CONVERTER = 'html-to-markdown';
const TEXT = { type: 'string', max: 512 };
const convertWith = (tool: object, version = '1.5.0', name = CONVERTER) => ({
  ...REFUND_PLAN,
  max_recorded: 0,
  tools: [
    {
      ...ORDER,
      ...{ name, version, replay: 'pure', args: { html: TEXT }, responds: { markdown: { ...TEXT, at: '/markdown' } } },
      ...tool,
    },
  ],
  steps: [{ ...REFUND_PLAN.steps[0], step_id: 'write', where: [], tool: `${name}@${version}` }],
  constraints: [],
});

/** The whole output of the tool for this Markdown. */
const output = (amount: string) => {
  const markdown = `Refunded **${amount}**.\n`;
  return { title: null, byline: null, excerpt: null, markdown, markdownCharacters: markdown.length };
};
const VERIFIED = { verdict: 'satisfied', engine: BOTH };
const DIVERGES = { verdict: 'violated', reasons: [{ code: 'RESPONSE_DIVERGES', path: '/actions/0/response' }] };
const REPLACED = {
  ...{ verdict: 'indeterminate', engine: 'none' },
  reasons: [{ code: 'TOOL_REPLACED', path: '/actions/0/response' }],
};
const PLUGINS = `${CONVERTER}:${'0123456789abcdef'.repeat(2)}`;

// A version that was replaced is confirmed by the later one, and never refuted by it.
for (const [response, like, version = '1.5.0', name = CONVERTER] of [
  [output('80.00'), VERIFIED],
  [output('90.00'), DIVERGES],
  [{ markdown: output('80.00').markdown }, DIVERGES],
  [Object.fromEntries(Object.entries(output('80.00')).toReversed()), VERIFIED],
  [{ ...output('80.00'), title: 'Refund' }, DIVERGES],
  [{ ...output('80.00'), paid: true }, DIVERGES],
  ...['1.0.0', '1.1.0', '1.2.0', '1.3.0', '1.4.0'].flatMap(
    (version) =>
      [
        [output('80.00'), VERIFIED, version],
        [output('90.00'), REPLACED, version],
      ] as const,
  ),
  [output('80.00'), REPLACED, '1.5.0', PLUGINS],
  [output('90.00'), REPLACED, '1.5.0', PLUGINS],
] as readonly [object, { readonly verdict: string }, string?, string?][]) {
  test(`${JSON.stringify(response)} of ${name}@${version} is ${like.verdict}`, (t) => {
    const args = { html: '<p>Refunded <b>80.00</b>.' };
    const action = { ...look, step_id: 'write', tool: name, tool_version: version, args, response };
    const answer = replay([action], readPlan(convertWith({}, version, name)));
    t.like(answer.replay, like);
    if (like === VERIFIED) t.like(answer.assurance, { recomputed: 1, modelled: 0, recorded: 0 });
  });
}

for (const [what, tool, code, path] of [
  ['with an unknown version', { version: '1.0.1' }, 'UNKNOWN_PURE_TOOL', 'replay'],
  ['with a malformed digest of plugins', { name: `${CONVERTER}:plugins` }, 'UNKNOWN_PURE_TOOL', 'replay'],
  ['with an argument that it does not take', { args: { html: TEXT, url: TEXT } }, 'WRONG_REPLAY', 'args/url'],
  ['with an argument of another type', { args: { html: { type: 'bool' } } }, 'WRONG_REPLAY', 'args/html'],
  ['without an argument that it needs', { args: { sourceUrl: TEXT } }, 'WRONG_REPLAY', 'args'],
] as const) {
  test(`a pure tool ${what} is refused with a pointer to it`, (t) => {
    refuses(t, () => readPlan(convertWith(tool)), code, `/tools/0/${path}`);
  });
}
