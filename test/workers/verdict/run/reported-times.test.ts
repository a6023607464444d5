import test from 'ava';
import { formatInstant, parseInstant } from '../../../../workers/exact/instants.ts';
import { brokenBy, judgeKnown } from '../../../../workers/verdict/decide/ground-values.ts';
import { alignmentProblem } from '../../../../workers/verdict/run/alignment.ts';
import { readActions } from '../../../../workers/verdict/run/read-actions.ts';
import { withReportedContext } from '../../../../workers/verdict/run/reported-times.ts';
import { look, pay, plan } from '../../../models/refund-run.ts';
import { refuses } from '../thrown.ts';

const PAID = pay('80.00', '0.00');
const CIRCUMSTANCES = {
  approvedAt: '2026-11-01T10:00:00.000000Z',
  receivedAt: '2026-11-01T10:00:01.000000Z',
  proposedIntents: 'a',
  recordedIntents: 'a',
};

function alignment(over: Partial<typeof CIRCUMSTANCES>, actions: readonly unknown[] = [look, PAID]) {
  const runContext = { ...CIRCUMSTANCES, ...over };
  const read = readActions(actions, plan);
  const problem = alignmentProblem({ plan, actions: read }, { question: 'holds', isComplete: true });
  const under = withReportedContext(problem, { plan, actions: read }, runContext);
  return [judgeKnown(under), ...brokenBy(under.values, under.rules).map(({ id }) => id)];
}

test('a run as proposed, after the approval and before the receipt, is aligned', (t) => {
  t.deepEqual(alignment({}), ['satisfied']);
});

test('a run that differs from the proposal is not aligned', (t) => {
  t.deepEqual(alignment({ recordedIntents: 'b' }), ['violated', '/intents']);
});

test('a run within five seconds of the approval and of the receipt is aligned, and one beyond is not', (t) => {
  t.deepEqual(alignment({ approvedAt: '2026-11-01T10:00:05.000000Z' }), ['satisfied']);
  t.deepEqual(alignment({ approvedAt: '2026-11-01T10:00:05.000001Z' }), [
    'violated',
    '/actions/0/started_at/approved',
    '/actions/1/started_at/approved',
  ]);
  t.deepEqual(alignment({ receivedAt: '2026-11-01T09:59:55.000000Z' }), ['satisfied']);
  t.deepEqual(alignment({ receivedAt: '2026-11-01T09:59:54.999999Z' }), [
    'violated',
    '/actions/0/ended_at/received',
    '/actions/1/ended_at/received',
  ]);
});

test('an action that began more than five seconds after the plan expired is not aligned', (t) => {
  const beyond = (microseconds: bigint) => formatInstant(parseInstant(plan.expiresAt, '') + microseconds);
  const paidAt = (time: string) => {
    const receivedAt = formatInstant(parseInstant(time, '') + 1n);
    return alignment({ receivedAt }, [look, { ...PAID, started_at: time, ended_at: time }]);
  };
  t.deepEqual(paidAt(beyond(5_000_000n)), ['satisfied']);
  t.deepEqual(paidAt(beyond(5_000_001n)), ['violated', '/actions/1/started_at/expired']);
});

test('times must be in order', (t) => {
  const later = { ...look, started_at: '2026-11-01T10:00:00.500000Z', ended_at: '2026-11-01T10:00:00.500000Z' };
  t.deepEqual(alignment({}, [later, PAID]), ['violated', '/actions/1/after/look', '/actions/1/started_at/order']);
  const backwards = { ...PAID, started_at: '2026-11-01T10:00:00.500000Z', ended_at: '2026-11-01T10:00:00.400000Z' };
  t.deepEqual(alignment({}, [look, backwards]), ['violated', '/actions/1/ended_at/started']);
  refuses(
    t,
    () => alignment({}, [{ ...look, started_at: '2026-99-01T10:00:00.000000Z' }, PAID]),
    'MALFORMED_VALUE',
    '/actions/0/started_at',
  );
});
