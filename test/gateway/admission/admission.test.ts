import test from 'ava';
import { type AdmissionOptions, createAdmission } from '../../../gateway/admission/admission.ts';
import { AppError } from '../../../gateway/errors/app-error.ts';

const FOREVER_MS = 600_000;

function createFixed(limit: number, options: Partial<AdmissionOptions> = {}) {
  let nowMs = 0;
  const noted: { readonly isOverload: boolean; readonly running: number }[] = [];
  const admission = createAdmission({
    limit: { current: () => limit, note: (call) => noted.push(call) },
    targetMs: FOREVER_MS,
    monotonicMs: () => nowMs,
    ...options,
  });
  const order: string[] = [];
  /** A call that runs until `end` is called. */
  const begin = (client: string) => {
    const work = Promise.withResolvers<void>();
    const outcome = admission
      .run(client, () => {
        order.push(client);
        return work.promise;
      })
      .then(
        () => 'done',
        (error: unknown) => (error instanceof AppError ? error.code : String(error)),
      );
    return { end: work.resolve, fail: work.reject, outcome };
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  /** Makes the queue one that has not been empty for long. */
  const standLong = () => (nowMs += 10 * FOREVER_MS);
  return { admission, begin, order, noted, turn, standLong };
}

test('calls beyond the limit wait, and begin when others end', async (t) => {
  const { admission, begin, order, turn } = createFixed(2);
  const calls = [begin('a'), begin('a'), begin('a')];
  await turn();
  t.deepEqual(admission.counts(), { running: 2, waiting: 1, limit: 2 });
  calls[0]?.end();
  await turn();
  t.deepEqual(order, ['a', 'a', 'a']);
  for (const call of calls) call.end();
  t.deepEqual(await Promise.all(calls.map(({ outcome }) => outcome)), ['done', 'done', 'done']);
  t.deepEqual(admission.counts(), { running: 0, waiting: 0, limit: 2 });
});

test('a burst beyond the limit waits and is served; a queue that stays in use refuses what comes then', async (t) => {
  const { admission, begin, turn, standLong } = createFixed(8);
  const burst = Array.from({ length: 64 }, () => begin('a'));
  await turn();
  t.deepEqual(admission.counts(), { running: 8, waiting: 56, limit: 8 });
  standLong();
  t.is(await begin('a').outcome, 'OVERLOADED');
  for (const { end } of burst) end();
  t.deepEqual(new Set(await Promise.all(burst.map(({ outcome }) => outcome))), new Set(['done']));
  // The queue was empty: this is another burst.
  const next = Array.from({ length: 64 }, () => begin('a'));
  await turn();
  t.is(admission.counts().waiting, 56);
  for (const { end } of next) end();
});

test('a client with many calls does not keep another one out', async (t) => {
  const { begin, order, turn, standLong } = createFixed(16);
  const first = Array.from({ length: 17 }, () => begin('greedy'));
  standLong();
  const greedy = [...first, ...Array.from({ length: 1000 - 17 }, () => begin('greedy'))];
  const modest = Array.from({ length: 2 }, () => begin('modest'));
  await turn();
  t.deepEqual(
    order,
    Array.from({ length: 16 }, () => 'greedy'),
  );
  for (let ended = 0; ended < 4; ended += 1) {
    greedy[ended]?.end();
    await turn();
  }
  // They take turns.
  t.is(order.slice(16).filter((client) => client === 'modest').length, 2);
  for (const { end } of [...greedy, ...modest]) end();
  const outcomes = await Promise.all(greedy.map(({ outcome }) => outcome));
  t.is(outcomes.filter((outcome) => outcome === 'OVERLOADED').length, 1000 - 16 - 4);
  t.deepEqual(await Promise.all(modest.map(({ outcome }) => outcome)), ['done', 'done']);
});

test('a client that would be refused at once is refused before it sends', async (t) => {
  const { admission, begin, turn, standLong } = createFixed(1);
  const calls = Array.from({ length: 2 }, () => begin('a'));
  await turn();
  t.true(admission.hasRoom('a'));
  standLong();
  t.false(admission.hasRoom('a'));
  t.true(admission.hasRoom('b'));
  for (const { end } of calls) end();
  await Promise.all(calls.map(({ outcome }) => outcome));
  t.true(admission.hasRoom('a'));
});

test('a call that waited for too long is refused, and its place stays free', async (t) => {
  const { admission, begin, order } = createFixed(1, { targetMs: 40 });
  const first = begin('a');
  t.is(await begin('b').outcome, 'OVERLOADED');
  t.deepEqual(order, ['a']);
  t.is(admission.counts().waiting, 0);
  first.end();
  t.is(await first.outcome, 'done');
  const next = begin('c');
  next.end();
  t.is(await next.outcome, 'done');
});

test('a refusal of a service is noted as an overload, and every other failure is not', async (t) => {
  const { begin, noted } = createFixed(2);
  const overloaded = begin('a');
  overloaded.fail(new AppError('OVERLOADED', 'full'));
  const failed = begin('a');
  failed.fail(new AppError('INVALID_REQUEST', 'no'));
  t.deepEqual(await Promise.all([overloaded.outcome, failed.outcome]), ['OVERLOADED', 'INVALID_REQUEST']);
  t.deepEqual(
    noted.map(({ isOverload }) => isOverload),
    [true, false],
  );
});
