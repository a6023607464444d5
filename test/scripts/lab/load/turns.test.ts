import test from 'ava';
import { createTurns } from '../../../../scripts/lab/load/scenarios/turns.ts';

/** Lanes with some prepared calls each. */
function lanesOf(...counts: readonly number[]) {
  const turns = createTurns<number>();
  const lanes = counts.map(() => turns.createLane());
  for (const [index, lane] of lanes.entries())
    for (let call = 0; call < Number(counts[index]); call += 1) turns.add(lane, call);
  return { turns, lanes };
}

test('lanes take turns, and each carries one call at a time', async (t) => {
  const { turns, lanes } = lanesOf(2, 2);
  const [first, second] = [await turns.take(), await turns.take()];
  t.deepEqual([first, second], lanes);
  const third = turns.take();
  t.is(turns.ready(), 1);
  turns.end(second, 'used');
  t.is(await third, second);
  t.deepEqual(second.calls, [1]);
});

test('a call that is kept is sent again', async (t) => {
  const { turns } = lanesOf(1);
  const lane = await turns.take();
  turns.end(lane, 'kept');
  t.is(turns.ready(), 1);
  t.deepEqual((await turns.take()).calls, [0]);
});

test('calls of a lost lane are never sent, and who waits for them is told', async (t) => {
  const { turns } = lanesOf(2, 1);
  const [first, second] = [await turns.take(), await turns.take()];
  const waiting = turns.take();
  turns.end(first, 'lost');
  turns.end(second, 'used');
  await t.throwsAsync(waiting, { message: 'the prepared calls were lost' });
  t.is(turns.ready(), 0);
  await t.throwsAsync(turns.take(), { message: 'no call is prepared' });
});

test('a lane that was used up takes its turn when a call is added', async (t) => {
  const { turns, lanes } = lanesOf(1);
  const lane = await turns.take();
  turns.end(lane, 'used');
  t.is(turns.ready(), 0);
  for (const each of lanes) turns.add(each, 7);
  t.deepEqual((await turns.take()).calls, [7]);
});
