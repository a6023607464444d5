import test from 'ava';
import { valueAt } from '../../../../workers/exact/json-pointer.ts';
import { brokenBy, judgeKnown } from '../../../../workers/verdict/decide/ground-values.ts';
import { type Artifact, evidenceProblem, readArtifact } from '../../../../workers/verdict/run/evidence.ts';
import { parseEvidence } from '../../../../workers/verdict/run/parse-evidence.ts';
import { readActions } from '../../../../workers/verdict/run/read-actions.ts';
import { look, pay, plan } from '../../../models/refund-run.ts';

const ACTIONS = readActions([look, pay('80.00', '0.00')], plan);

const found = (artifacts: readonly Artifact[]) => evidenceProblem({ plan, actions: ACTIONS }, artifacts);
const receipt = (json: unknown, action = 1): Artifact => ({ action, kind: 'receipt', json });
const written = (amount: string) => [receipt(parseEvidence(`{"amount":${amount},"id":"r1"}`))];
const GOOD = { amount: '80.00', id: 'r1' };

for (const [what, artifacts, broken] of [
  ['a receipt that agrees with the action', [receipt({ ...GOOD, shop: 'any' })]],
  ...['80', '80.00', '8e1', '"80.00"'].map((amount) => [`the amount ${amount}`, written(amount)] as const),
  ['the amount 8000', written('8000'), '0/binds/amount'],
  ['another amount', [receipt({ ...GOOD, amount: '79.99' })], '0/binds/amount'],
  ['another payment', [receipt({ ...GOOD, id: 'r2' })], '0/binds/id'],
  ['no receipt', [], 'min'],
  ['a receipt of another action', [receipt(GOOD, 0)], 'min'],
  ['a picture', [{ ...receipt(GOOD), kind: 'photo' }], 'min'],
  ['a number of a megabyte', written(`1${'0'.repeat(1_000_000)}1`), '0/reads'],
  ...['79.99999999999999999999', '80.0000000000000000001', '80.000000000000001', '1e-400'].map(
    (amount) => [`the amount ${amount}`, written(amount), '0/reads'] as const,
  ),
  ...[undefined, null, [], {}, { ...GOOD, amount: 80.001 }, { ...GOOD, amount: '80.0' }].map(
    (json) => [`the receipt ${JSON.stringify(json)}`, [receipt(json)], '0/reads'] as const,
  ),
] as readonly (readonly [string, readonly Artifact[], string?])[]) {
  test(`${what} is ${broken === undefined ? 'evidence' : `no evidence: ${broken}`}`, (t) => {
    const problem = found(artifacts);
    t.is(judgeKnown(problem), broken === undefined ? 'satisfied' : 'violated');
    const ids = brokenBy(problem.values, problem.rules).map(({ id }) => id);
    t.deepEqual(ids, broken === undefined ? [] : [`/actions/1/evidence/receipt/${broken}`]);
  });
}

test('a pointer does not reach into a number', (t) => {
  t.is(valueAt(parseEvidence('{"amount":80.00}'), '/amount/text'), undefined);
});

for (const [amount, message] of [
  ['"80"', 'amount at /amount does not have exactly 2 decimals'],
  ['"80,00"', 'amount at /amount is not a number such as 12 or -0.50'],
  ['80.0000000000000000001', 'amount at /amount has more than 2 decimals'],
  ['true', 'amount at /amount is not a number'],
] as const) {
  test(`a receipt with the amount ${amount} is told its field and what is wrong`, (t) => {
    const faults = found(written(amount)).rules.flatMap(({ fault }) => fault?.() ?? []);
    t.deepEqual(faults, [message]);
  });
}

test('evidence from which nothing is read may be anything, such as a picture', (t) => {
  const steps = plan.steps.map((step) => ({
    ...step,
    evidence: step.evidence.map((kind) => ({ ...kind, reads: new Map(), binds: [] })),
  }));
  const picture = { ...plan, steps };
  const fault = 'the artifact is not JSON';
  const actions = readActions([look, pay('80.00', '0.00')], picture);
  const problem = evidenceProblem({ plan: picture, actions }, [{ action: 1, kind: 'receipt', fault }]);
  t.is(judgeKnown(problem), 'satisfied');
  t.deepEqual(readArtifact(new Map(), { fault }), { values: new Map() });
});
