import test from 'ava';
import { bombPlan } from '../../../scripts/lab/bench/measure/solver-runs.ts';
import { createPool } from '../../../services/platform/pools/pool.ts';
import type { SolverAnswers, SolverTask, SolverTaskKind } from '../../../workers/solver/tasks.ts';
import { readWasm } from '../../models/open-z3.ts';
import { REFUND_PLAN } from '../../models/refund-plan.ts';
import { look, pay } from '../../models/refund-run.ts';

const bytes = await readWasm();
const wasm = new Uint8Array(new SharedArrayBuffer(bytes.length));
wasm.set(bytes);
const pool = createPool<SolverTask, SolverAnswers[SolverTaskKind]>({
  worker: new URL('../../../workers/solver/worker.ts', import.meta.url),
  workerData: { wasm },
  threads: 1,
  recycling: true,
});
test.after.always(() => pool.close());

async function ask<Kind extends SolverTaskKind>(
  task: Extract<SolverTask, { readonly kind: Kind }>,
): Promise<SolverAnswers[Kind]> {
  const answer = await pool.run(task);
  if (!answer.ok) throw new Error(answer.message);
  // The type of a pool does not relate each kind of task to its answer.
  return answer.value as SolverAnswers[Kind];
}

const plan = JSON.stringify(REFUND_PLAN);
const intentOf = ({ step_id, tool, tool_version, args }: typeof look | ReturnType<typeof pay>) => {
  return { step_id, tool, tool_version, args };
};
const RUN = [look, pay('80.00', '0.00')];
const recorded = JSON.stringify(RUN);
const proposed = JSON.stringify(RUN.map(intentOf));
const circumstances = {
  approvedAt: '2026-11-01T09:00:00.000000Z',
  receivedAt: '2026-11-01T11:00:00.000000Z',
  proposedIntents: 'a'.repeat(64),
  recordedIntents: 'a'.repeat(64),
};
const sheets: readonly string[] = [];
const verification = {
  plan,
  sheets,
  actions: recorded,
  artifacts: [{ action: 1, kind: 'receipt', json: '{"amount":"80.00","id":"r1"}' }],
  circumstances,
};

test('a plan that some run obeys is satisfied, and a malformed one has a fault', async (t) => {
  t.like(await ask({ kind: 'check_plan', plan, sheets }), { judgement: { verdict: 'satisfied' }, lint: [] });
  const { fault } = await ask({ kind: 'check_plan', plan: '{}', sheets });
  t.is(fault?.code, 'MALFORMED_PLAN');
});

test('a proposal is judged as a prefix and as a complete run', async (t) => {
  const begun = JSON.stringify([intentOf(look)]);
  for (const check of ['plan_alignment', 'constraints'] as const) {
    const prefix = await ask({ kind: 'check_proposal', check, plan, sheets, mode: 'prefix', actions: begun });
    t.like(prefix.judgement, { verdict: 'satisfied', question: 'possible' });
    const complete = await ask({ kind: 'check_proposal', check, plan, sheets, mode: 'complete', actions: begun });
    t.is(complete.judgement.verdict, 'violated');
    const whole = await ask({ kind: 'check_proposal', check, plan, sheets, mode: 'complete', actions: proposed });
    t.is(whole.judgement.verdict, 'satisfied');
  }
});

test('a malformed proposal has a fault, and one with a value of another type is invalid input', async (t) => {
  const propose = (action: unknown) =>
    ask({
      kind: 'check_proposal',
      check: 'constraints',
      plan,
      sheets,
      mode: 'prefix',
      actions: JSON.stringify([action]),
    });
  t.like(await propose({ ...intentOf(look), aligned: true }), {
    fault: { code: 'MALFORMED_ACTIONS', path: '/actions/0/aligned' },
  });
  const { fault, judgement } = await propose({ ...intentOf(look), args: {} });
  t.is(fault, undefined);
  t.like(judgement, { verdict: 'invalid_input', reasons: [{ path: '/actions/0/args/order_id' }] });
});

test('a recorded run is checked against the plan', async (t) => {
  for (const check of ['plan_alignment', 'constraints'] as const) {
    t.is((await ask({ kind: 'check_run', check, plan, sheets, actions: recorded })).judgement.verdict, 'satisfied');
  }
});

test('recorded actions have an identity if their tool has one, and a fault if they cannot be read', async (t) => {
  t.deepEqual(await ask({ kind: 'read_actions', plan, sheets, actions: recorded }), {
    actions: [{}, { identity: 'r1' }],
  });
  const elsewhere = JSON.stringify([{ ...look, step_id: 'rest' }]);
  t.deepEqual(await ask({ kind: 'read_actions', plan, sheets, actions: elsewhere }), { actions: [{}] });
  const { fault } = await ask({ kind: 'read_actions', plan, sheets, actions: JSON.stringify([pay('80', '0.00')]) });
  t.like(fault, { code: 'WRONG_SCALE', path: '/actions/0/args/amount' });
});

test('a run is verified, and its questions to the solver are available', async (t) => {
  const { verdicts, assurance } = await ask({ kind: 'verify', ...verification });
  t.deepEqual([...new Set(Object.values(verdicts).map(({ verdict }) => verdict))], ['satisfied']);
  t.deepEqual(assurance, { recomputed: 0, modelled: 1, recorded: 1, ghost_states: [], reported_times: false });
  const scripts = await ask({ kind: 'scripts', ...verification });
  const asked = Object.values(verdicts).flatMap(({ checks }) => checks.map(({ script }) => script));
  t.deepEqual(scripts.map(({ sha256 }) => sha256).toSorted(), [...new Set(asked)].toSorted());
  t.true(scripts.every(({ text }) => text.includes('(check-sat)')));
});

test('a preflight tells whether the run can still be aligned, and what remains', async (t) => {
  const preflight = (action: ReturnType<typeof pay>) =>
    ask({ kind: 'preflight', plan, sheets, done: JSON.stringify([look]), action: JSON.stringify(intentOf(action)) });
  const some = await preflight(pay('50.00', ''));
  t.is(some.alignment.verdict, 'satisfied');
  t.is(some.constraints.verdict, 'satisfied');
  t.deepEqual(some.remaining, [{ step_id: 'pay', min: 0, max: 1 }]);
  t.is((await preflight(pay('90.00', ''))).constraints.verdict, 'violated');
  t.like((await preflight(pay('90', ''))).constraints, {
    verdict: 'invalid_input',
    reasons: [{ path: '/actions/1/args/amount' }],
  });
});

test('a known problem is solved, with the pins of the solver', async (t) => {
  t.like(await ask({ kind: 'known_problem' }), { npmVersion: '5.2.0', seed: 0, rlimit: 200_000 });
});

const deep = (levels: number): unknown => JSON.parse(`${'["not",'.repeat(levels)}["bool",true]${']'.repeat(levels)}`);
const BOMBS: readonly (readonly [string, unknown])[] = [
  ['equations over 256 numbers that leave little room', JSON.parse(bombPlan())],
  ['a rule of a thousand brackets', { ...REFUND_PLAN, constraints: [{ id: 'deep', expr: deep(1000) }] }],
  [
    'numbers of 38 digits',
    {
      ...REFUND_PLAN,
      constraints: [
        { id: 'a', expr: ['=', ['*', ['sum', 'pay', ['arg', 'amount']], ['int', '9'.repeat(38)]], ['dec', '0.01']] },
      ],
    },
  ],
];
for (const [what, document] of BOMBS) {
  test(`the check of a plan with ${what} ends without an approval`, async (t) => {
    const { fault, judgement } = await ask({ kind: 'check_plan', plan: JSON.stringify(document), sheets });
    t.not(judgement.verdict, 'satisfied');
    t.not(judgement.verdict, 'engine_error', fault?.message);
    t.is((await ask({ kind: 'known_problem' })).rlimit, 200_000);
  });
}
