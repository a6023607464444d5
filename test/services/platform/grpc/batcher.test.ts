import { Metadata, status } from '@grpc/grpc-js';
import test from 'ava';
import { createBatcher } from '../../../../services/platform/grpc/batcher.ts';
import type { RequestOutcome } from '../../../../services/platform/grpc/bulk-stream.ts';
import { CallError, type CallSettings } from '../../../../services/platform/grpc/grpc-client.ts';

const SETTINGS = { timeoutMs: 1000 };

/** A batcher whose messages are answered by hand. */
function createRecorded(maxInFlight: number) {
  const sent: { readonly items: readonly string[]; readonly settings: CallSettings; readonly answer: () => void }[] =
    [];
  const hold = <Answer>(items: readonly string[], settings: CallSettings, answer: Answer) =>
    new Promise<Answer>((resolve) => sent.push({ items, settings, answer: () => resolve(answer) }));
  const outcomeOf = (item: string): RequestOutcome<string> =>
    item.startsWith('bad')
      ? { $case: 'error', value: { code: 'OVERLOADED', message: item } }
      : { $case: 'result', value: item.toUpperCase() };
  const send = createBatcher<string, string>({
    sendOne: (item, settings) => hold([item], settings, item.toUpperCase()),
    sendBatch: (items, settings) =>
      hold(
        items,
        settings,
        items.map((item) => ({ outcome: outcomeOf(item) })),
      ),
    bytesOf: (item) => item.length,
    maxInFlight,
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { send: (item: string) => send(item, SETTINGS), sent, turn };
}

test('items of one turn go together, others wait while enough is under way', async (t) => {
  const { send, sent, turn } = createRecorded(1);
  const first = ['a', 'b', 'c'].map(send);
  await turn();
  const second = ['d', 'e'].map(send);
  await turn();
  t.deepEqual(
    sent.map(({ items }) => items),
    [['a', 'b', 'c']],
  );
  sent[0]?.answer();
  t.deepEqual(await Promise.all(first), ['A', 'B', 'C']);
  await turn();
  sent[1]?.answer();
  t.deepEqual(await Promise.all(second), ['D', 'E']);
  t.is(sent.length, 2);
});

test('a lone item is sent alone, with its time limit', async (t) => {
  const { send, sent, turn } = createRecorded(2);
  const answer = send('alone');
  await turn();
  t.deepEqual(sent[0]?.items, ['alone']);
  t.deepEqual(sent[0]?.settings, SETTINGS);
  sent[0]?.answer();
  t.is(await answer, 'ALONE');
});

test('an item that fails has its own error, with the status of its code', async (t) => {
  const { send, sent, turn } = createRecorded(1);
  const good = send('good');
  const bad = send('bad');
  await turn();
  sent[0]?.answer();
  t.is(await good, 'GOOD');
  const error = await t.throwsAsync(bad, { instanceOf: CallError, message: 'bad' });
  t.is(error.code, 'OVERLOADED');
  t.is(error.status, status.RESOURCE_EXHAUSTED);
});

test('a batch is bounded in items and bytes, and a large item does not wait', async (t) => {
  const { send, sent, turn } = createRecorded(8);
  const answers = Array.from({ length: 130 }, (_, index) => send(`${index}`));
  answers.push(send('x'.repeat(65 * 1024)));
  t.is(sent.length, 1);
  answers.push(...Array.from({ length: 10 }, () => send('y'.repeat(60 * 1024))));
  for (let turns = 0; turns < 8; turns += 1) await turn();
  t.true(sent.every(({ items }) => items.length <= 64 && items.join('').length <= 512 * 1024));
  for (const { answer } of sent) answer();
  t.is((await Promise.all(answers)).length, 141);
});

const failWith = (code: status) =>
  new CallError(Object.assign(new Error('failed'), { code, details: 'failed', metadata: new Metadata() }));

test('a service without batches gets single calls; any other failure is that of every item', async (t) => {
  const sendOne = async (item: string) => item.toUpperCase();
  const create = (error: Error) =>
    createBatcher<string, string>({
      sendOne,
      sendBatch: () => Promise.reject(error),
      bytesOf: (item) => item.length,
      maxInFlight: 1,
    });
  const old = create(failWith(status.UNIMPLEMENTED));
  t.deepEqual(await Promise.all(['a', 'b'].map((item) => old(item, SETTINGS))), ['A', 'B']);
  const gone = create(failWith(status.UNAVAILABLE));
  const settled = await Promise.allSettled(['a', 'b'].map((item) => gone(item, SETTINGS)));
  t.deepEqual(
    settled.map(({ status: state }) => state),
    ['rejected', 'rejected'],
  );
});

test('a wrong number of outcomes fails every item', async (t) => {
  const send = createBatcher<string, string>({
    sendOne: async (item) => item,
    sendBatch: async () => [{ outcome: { $case: 'result', value: 'one' } }],
    bytesOf: () => 1,
    maxInFlight: 1,
  });
  const settled = await Promise.allSettled(['a', 'b'].map((item) => send(item, SETTINGS)));
  t.deepEqual(
    settled.map(({ status: state }) => state),
    ['rejected', 'rejected'],
  );
});
