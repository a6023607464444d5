import test from 'ava';
import { verifyExecution } from '../../../../workers/verdict/check/verify.ts';
import type { Artifact } from '../../../../workers/verdict/run/evidence.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { REFUND_PLAN } from '../../../models/refund-plan.ts';
import { BOUNDED_PLAN, look, pay } from '../../../models/refund-run.ts';

const judge = { solver: await sharedZ3(), rlimit: DEFAULT_RLIMIT };
const RECEIPT: Artifact = { action: 1, kind: 'receipt', json: { amount: '80.00', id: 'r1' } };

const SECOND: Artifact = { action: 2, kind: 'receipt', json: { amount: '30.00', id: 'r2' } };
const PAID = pay('80.00', '0.00');

const verify = (actions: readonly unknown[], plan: object = REFUND_PLAN, artifacts = [RECEIPT]) =>
  verifyExecution({ plan, actions, artifacts }, judge);

const [order, refund] = BOUNDED_PLAN.tools;
const [LOOK, PAY] = BOUNDED_PLAN.steps;
const adding = {
  constraints: [],
  // A state that has only a maximum, and that a payment raises.
  state: { refundable: { type: 'decimal', scale: 2, max: '100.00', initial: '80.00' } },
  steps: [LOOK, { ...PAY, where: [], evidence: [] }],
  tools: [order, { ...refund, effects: { refundable: ['+', ['state', 'refundable'], ['arg', 'amount']] } }],
};
const huge = { refundable: ['*', ['state', 'refundable'], ['int', '9'.repeat(38)]] };
const tooLarge = { max_recorded: 2, constraints: [], tools: [order, { ...refund, effects: huge }] };
const OUT = (action: number) => `violated STATE_OUT_OF_RANGE /actions/${action}/state/refundable`;
const GOOD = 'satisfied';
const UNREADABLE = 'invalid_input MALFORMED /actions/1/args/amount';

for (const [what, actions, over, verdicts] of [
  ['a run that obeys its plan', [look, PAID], {}, [GOOD, GOOD, GOOD, GOOD]],
  [
    'the wrong tool',
    [look, { ...PAID, tool: 'pay.all' }],
    {},
    [
      'violated WRONG_TOOL /actions/1/tool',
      'violated CONSTRAINT_BROKEN /constraints/whole',
      GOOD,
      'indeterminate NOT_ALIGNED ',
    ],
  ],
  ['an amount that cannot be read', [look, pay('80', '0.00')], {}, Array<string>(4).fill(UNREADABLE)],
  [
    'a state outside its type',
    [look, PAID, pay('30.00', '-30.00', 'r2')],
    { ...BOUNDED_PLAN, constraints: [] },
    [GOOD, OUT(2), GOOD, OUT(2)],
  ],
  [
    'a state that leaves its type and comes back',
    [look, pay('50.00', '130.00'), pay('-50.00', '80.00', 'r2')],
    adding,
    [GOOD, OUT(1), GOOD, OUT(1)],
  ],
  ['a state beyond 38 digits', [look, PAID], tooLarge, [GOOD, OUT(1), GOOD, OUT(1)]],
] as const) {
  test(`${what}: ${verdicts.join(', ')}`, (t) => {
    const { verdicts: found, assurance } = verify(actions, { ...REFUND_PLAN, ...over }, [RECEIPT, SECOND]);
    const said = Object.values(found).map(({ verdict, reasons }) =>
      [verdict, ...reasons.flatMap(({ code, path }) => [code, path])].join(' '),
    );
    t.deepEqual(said, [...verdicts]);
    if (verdicts[3] !== GOOD) return t.is(assurance, undefined);
    const reliance = { failed: 0, unknown: 0, ghost_states: [], reported_times: false };
    return t.deepEqual(assurance, { recomputed: 0, modelled: 1, recorded: 1, ...reliance });
  });
}

test('both engines decide all four checks', (t) => {
  for (const { engine, checks } of Object.values(verify([look, PAID]).verdicts)) {
    t.is(engine, 'evaluator+z3');
    t.is(checks.length, 1);
  }
});

test('the same records have the same verdicts and the same number of solver steps', (t) => {
  const actions = [look, pay('50.00', '30.00')];
  t.deepEqual(verify(actions), verify(structuredClone(actions), structuredClone(REFUND_PLAN)));
});
