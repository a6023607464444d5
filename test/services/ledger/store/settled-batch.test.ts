import test from 'ava';
import pg from 'pg';
import { explainFailure } from '../../../../services/ledger/store/ledger-errors.ts';
import { createSettledBatch } from '../../../../services/ledger/store/settled-batch.ts';

/** An error of the server, as the pool throws it. */
function failure(code: string) {
  const error = new pg.DatabaseError('planned', 0, 'error');
  error.code = code;
  error.severity = 'ERROR';
  return explainFailure(error);
}

/** Sends two items together. `fail` may throw. */
async function sendBoth(fail: (items: readonly string[], attempt: number) => void) {
  const batches: string[] = [];
  const add = createSettledBatch<string, string>({
    async send(items) {
      batches.push(items.join(' '));
      fail(items, batches.length);
      return items.map((item) => `${item} is done`);
    },
    maxItems: 64,
  });
  const settled = await Promise.allSettled(['good', 'bad'].map((item) => add(item)));
  return { batches, states: settled.map(({ status }) => status) };
}

test('a batch that met a deadlock is repeated once', async (t) => {
  const once = await sendBoth((_, attempt) => {
    if (attempt === 1) throw failure('40P01');
  });
  t.deepEqual(once, { batches: ['good bad', 'good bad'], states: Array(2).fill('fulfilled') });
  const always = await sendBoth(() => {
    throw failure('40P01');
  });
  t.deepEqual(always, {
    batches: ['good bad', 'good bad'],
    states: ['rejected', 'rejected'],
  });
});

test('a batch with an invalid item is repeated item by item', async (t) => {
  for (const code of ['22003', '23505', '23514']) {
    const sent = await sendBoth((items) => {
      if (items.includes('bad')) throw failure(code);
    });
    t.deepEqual(sent, {
      batches: ['good bad', 'good', 'bad'],
      states: ['fulfilled', 'rejected'],
    });
  }
});

test('a batch that failed otherwise is not repeated', async (t) => {
  for (const error of [failure('25006'), failure('57P01'), failure('53100'), explainFailure(new Error('closed'))]) {
    const { batches } = await sendBoth(() => {
      throw error;
    });
    t.deepEqual(batches, ['good bad']);
  }
});
