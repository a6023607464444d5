import test from 'ava';
import { valueAt } from '../../../../workers/exact/json-pointer.ts';
import type { Step } from '../../../../workers/plan/plan.ts';
import { brokenBy, judgeKnown } from '../../../../workers/verdict/decide/ground-values.ts';
import { type Artifact, evidenceProblem, readArtifact } from '../../../../workers/verdict/run/evidence.ts';
import { parseEvidence } from '../../../../workers/verdict/run/parse-evidence.ts';
import { readActions } from '../../../../workers/verdict/run/read-actions.ts';
import { look, pay, plan } from '../../../models/refund-run.ts';

const ACTIONS = readActions([look, pay('80.00', '0.00')], plan);

function check(artifacts: readonly Artifact[]) {
  const problem = evidenceProblem({ plan, actions: ACTIONS }, artifacts);
  const verdict = judgeKnown(problem);
  return verdict === 'violated' ? brokenBy(problem.values, problem.rules).map(({ id }) => id) : verdict;
}

const withoutReads = (step: Step): Step => ({
  ...step,
  evidence: step.evidence.map((kind) => ({ ...kind, reads: new Map(), binds: [] })),
});

const receipt = (json: unknown, action = 1): Artifact => ({ action, kind: 'receipt', json });

test('a receipt that agrees with the action is evidence', (t) => {
  t.is(check([receipt({ amount: '80.00', id: 'r1', shop: 'any' })]), 'satisfied');
});

test('numbers of a receipt are compared exactly as written', (t) => {
  const said = (amount: string) => check([receipt(parseEvidence(`{"amount":${amount},"id":"r1"}`))]);
  for (const amount of ['80', '80.00', '8e1', '"80.00"']) t.is(said(amount), 'satisfied', amount);
  for (const amount of ['79.99999999999999999999', '80.0000000000000000001', '80.000000000000001', '1e-400']) {
    t.deepEqual(said(amount), ['/actions/1/evidence/receipt/0/reads'], amount);
  }
  t.deepEqual(said('8000'), ['/actions/1/evidence/receipt/0/binds/amount']);
});

test('a pointer does not reach into a number', (t) => {
  t.is(valueAt(parseEvidence('{"amount":80.00}'), '/amount/text'), undefined);
});

test('a number of a megabyte is refused at once', (t) => {
  const zeros = '0'.repeat(1_000_000);
  t.deepEqual(check([receipt(parseEvidence(`{"amount":1${zeros}1,"id":"r1"}`))]), [
    '/actions/1/evidence/receipt/0/reads',
  ]);
});

test('a missing receipt, or one of another action or kind, is missing evidence', (t) => {
  const good = { amount: '80.00', id: 'r1' };
  for (const artifacts of [[], [receipt(good, 0)], [{ ...receipt(good), kind: 'photo' }]]) {
    t.deepEqual(check(artifacts), ['/actions/1/evidence/receipt/min']);
  }
});

test('a receipt of another amount or payment does not bind', (t) => {
  t.deepEqual(check([receipt({ amount: '79.99', id: 'r1' })]), ['/actions/1/evidence/receipt/0/binds/amount']);
  t.deepEqual(check([receipt({ amount: '80.00', id: 'r2' })]), ['/actions/1/evidence/receipt/0/binds/id']);
});

for (const [amount, message] of [
  ['"80"', 'amount at /amount does not have exactly 2 decimals'],
  ['"80,00"', 'amount at /amount is not a number such as 12 or -0.50'],
  ['80.0000000000000000001', 'amount at /amount has more than 2 decimals'],
  ['true', 'amount at /amount is not a number'],
] as const) {
  test(`a receipt with the amount ${amount} is told its field and what is wrong`, (t) => {
    const { rules } = evidenceProblem({ plan, actions: ACTIONS }, [
      receipt(parseEvidence(`{"amount":${amount},"id":"r1"}`)),
    ]);
    t.deepEqual(
      rules.flatMap(({ fault }) => fault?.() ?? []),
      [message],
    );
  });
}

test('evidence from which nothing is read may be anything, such as a picture', (t) => {
  const picture = { ...plan, steps: plan.steps.map(withoutReads) };
  const fault = 'the artifact is not JSON';
  const actions = readActions([look, pay('80.00', '0.00')], picture);
  const problem = evidenceProblem({ plan: picture, actions }, [{ action: 1, kind: 'receipt', fault }]);
  t.is(judgeKnown(problem), 'satisfied');
  t.deepEqual(readArtifact(new Map(), { fault }), { values: new Map() });
});

test('an unreadable receipt has one reason, EVIDENCE_UNREADABLE', (t) => {
  for (const json of [undefined, null, [], {}, { amount: 80.001, id: 'r1' }, { amount: '80.0', id: 'r1' }]) {
    t.deepEqual(check([receipt(json)]), ['/actions/1/evidence/receipt/0/reads']);
  }
});
