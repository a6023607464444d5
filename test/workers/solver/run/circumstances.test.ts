import test from 'ava';
import { verifyExecution } from '../../../../workers/solver/run/verify.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/solver/z3/z3.ts';
import { openZ3 } from '../open-z3.ts';
import { REFUND_PLAN } from '../plan/refund-plan.ts';
import { look, pay } from './refund-run.ts';

const by = { solver: await openZ3(), rlimit: DEFAULT_RLIMIT };
const PAID = pay('80.00', '0.00');
const CIRCUMSTANCES = {
  approvedAt: '2026-11-01T10:00:00.000000Z',
  receivedAt: '2026-11-01T10:00:01.000000Z',
  proposedIntents: 'a',
  recordedIntents: 'a',
};

function alignment(over: Partial<typeof CIRCUMSTANCES>, actions: readonly unknown[] = [look, PAID]) {
  const circumstances = { ...CIRCUMSTANCES, ...over };
  const { verdicts } = verifyExecution({ plan: REFUND_PLAN, actions, artifacts: [], circumstances }, by);
  const { verdict, reasons } = verdicts.plan_alignment;
  return [verdict, ...reasons.map(({ code, path }) => `${code} ${path}`)];
}

test('what was done as proposed, after the approval and before it was handed in, is aligned', (t) => {
  t.deepEqual(alignment({}), ['satisfied']);
});

test('what was done otherwise than proposed is not', (t) => {
  t.deepEqual(alignment({ recordedIntents: 'b' }), ['violated', 'DEVIATED_FROM_PROPOSAL /intents']);
});

test('nor is what was begun before the approval, or ended after it was handed in, by a microsecond', (t) => {
  t.deepEqual(alignment({ approvedAt: '2026-11-01T10:00:00.000001Z' }), [
    'violated',
    'BEFORE_APPROVAL /actions/0/started_at/approved',
    'BEFORE_APPROVAL /actions/1/started_at/approved',
  ]);
  t.deepEqual(alignment({ receivedAt: '2026-11-01T10:00:00.999999Z' }), [
    'violated',
    'AFTER_RECEIPT /actions/0/ended_at/received',
    'AFTER_RECEIPT /actions/1/ended_at/received',
  ]);
});

test('times do not run backwards', (t) => {
  const later = { ...look, started_at: '2026-11-01T10:00:00.500000Z' };
  t.deepEqual(alignment({}, [later, PAID]), ['violated', 'NOT_MONOTONE /actions/1/started_at/order']);
  const backwards = { ...PAID, started_at: '2026-11-01T10:00:00.500000Z', ended_at: '2026-11-01T10:00:00.400000Z' };
  t.deepEqual(alignment({}, [look, backwards]), ['violated', 'NOT_MONOTONE /actions/1/ended_at/started']);
  t.deepEqual(alignment({}, [{ ...look, started_at: '2026-99-01T10:00:00.000000Z' }, PAID]), [
    'invalid_input',
    'MALFORMED /actions/0/started_at',
  ]);
});
