import test from 'ava';
import { bombPlan } from '../../../scripts/lab/bench/measure/solver-runs.ts';
import { createPool } from '../../../services/platform/pools/pool.ts';
import type { SolverAnswers, SolverTask, SolverTaskKind } from '../../../workers/verdict/tasks.ts';
import { readWasm } from '../../models/open-z3.ts';
import { TRANSFER_TEXT } from '../../models/payment-plan.ts';
import { REFUND_PLAN } from '../../models/refund-plan.ts';
import { look, pay } from '../../models/refund-run.ts';

const bytes = await readWasm();
const wasm = new Uint8Array(new SharedArrayBuffer(bytes.length));
wasm.set(bytes);
const pool = createPool<SolverTask, SolverAnswers[SolverTaskKind]>({
  worker: new URL('../../../workers/verdict/worker.ts', import.meta.url),
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

const RUN = [look, pay('80.00', '0.00')];
const intentOf = ({ step_id, tool, tool_version, args }: (typeof RUN)[number]) => {
  return { step_id, tool, tool_version, args };
};
const sheets: readonly string[] = [];
const planned = { plan: JSON.stringify(REFUND_PLAN), sheets };
const recorded = { ...planned, actions: JSON.stringify(RUN) };
const proposed = { ...planned, actions: JSON.stringify(RUN.map(intentOf)) };
const verification = {
  ...recorded,
  artifacts: [{ action: 1, kind: 'receipt', json: '{"amount":"80.00","id":"r1"}' }],
  runContext: {
    approvedAt: '2026-11-01T09:00:00.000000Z',
    receivedAt: '2026-11-01T11:00:00.000000Z',
    proposedIntents: 'a'.repeat(64),
    recordedIntents: 'a'.repeat(64),
  },
};
const next = { done: JSON.stringify([look]), action: JSON.stringify(intentOf(pay('50.00', ''))) };
const SATISFIED = { verdict: 'satisfied' };

/** Tasks of each kind, and what their answers are like. */
const ANSWERS: readonly (readonly [SolverTask, object])[] = [
  [
    { kind: 'propose', ...planned },
    { judgement: SATISFIED, lint: [] },
  ],
  [{ kind: 'propose', plan: '{}', sheets }, { fault: { code: 'MALFORMED_PLAN' } }],
  ...(['plan_alignment', 'constraints'] as const).flatMap((check): readonly (readonly [SolverTask, object])[] => [
    [{ kind: 'check_proposal', check, mode: 'prefix', ...proposed }, { judgement: SATISFIED }],
    [{ kind: 'check_proposal', check, mode: 'complete', ...proposed }, { judgement: SATISFIED }],
    [{ kind: 'check_run', check, ...recorded }, { judgement: SATISFIED }],
  ]),
  [{ kind: 'read_actions', ...recorded }, { actions: [{}, { identity: 'r1' }] }],
  [
    { kind: 'read_actions', ...planned, actions: JSON.stringify([{ ...look, step_id: 'rest' }]) },
    { actions: [{}], fault: undefined },
  ],
  [
    { kind: 'read_actions', ...planned, actions: JSON.stringify([pay('80', '0.00')]) },
    { fault: undefined, actions: [{ identity: 'r1', fault: { code: 'WRONG_SCALE', path: '/actions/0/args/amount' } }] },
  ],
  [
    { kind: 'read_actions', ...planned, actions: JSON.stringify([{ ...look, response: {} }]) },
    { fault: { code: 'MALFORMED_VALUE', path: '/actions/0/response/total' } },
  ],
  [
    { kind: 'preflight', ...planned, ...next },
    { alignment: SATISFIED, constraints: SATISFIED },
  ],
  [{ kind: 'check_tool', tool: TRANSFER_TEXT }, { fault: undefined }],
  [{ kind: 'check_tool', tool: '{"tool_format":2}' }, { fault: { code: 'MALFORMED_TOOL' } }],
  [{ kind: 'known_problem' }, { npmVersion: '5.2.0', seed: 0, rlimit: 200_000 }],
];
for (const [task, answer] of ANSWERS) {
  test(`a worker answers ${JSON.stringify({ ...task, plan: undefined }).slice(0, 80)} with ${JSON.stringify(answer)}`, async (t) => {
    t.like(await ask(task), answer);
  });
}

test('a run is verified, and its questions to the solver are available', async (t) => {
  const { verdicts } = await ask({ kind: 'verify', ...verification });
  t.deepEqual([...new Set(Object.values(verdicts).map(({ verdict }) => verdict))], ['satisfied']);
  const scripts = await ask({ kind: 'scripts', ...verification });
  const asked = Object.values(verdicts).flatMap(({ checks }) => checks.map(({ script }) => script));
  t.deepEqual(scripts.map(({ sha256 }) => sha256).toSorted(), [...new Set(asked)].toSorted());
  t.true(scripts.every(({ text }) => text.includes('(check-sat)')));
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
        {
          id: 'a',
          expr: ['=', ['*', ['sum', 'pay', 'p', ['arg', 'p', 'amount']], ['int', '9'.repeat(38)]], ['dec', '0.01']],
        },
      ],
    },
  ],
];
for (const [what, document] of BOMBS) {
  test(`the check of a plan with ${what} ends without an approval`, async (t) => {
    const { fault, judgement } = await ask({ kind: 'propose', plan: JSON.stringify(document), sheets });
    t.not(judgement.verdict, 'satisfied');
    t.not(judgement.verdict, 'engine_error', fault?.message);
    t.is((await ask({ kind: 'known_problem' })).rlimit, 200_000);
  });
}
