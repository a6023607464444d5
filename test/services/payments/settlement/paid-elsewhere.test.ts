import test from 'ava';
import { FacilitatorError } from '../../../../services/payments/facilitator/facilitator.ts';
import { createOpenClaimsFollower } from '../../../../services/payments/settlement/open-claims.ts';
import { createPaidElsewhere } from '../../../../services/payments/settlement/paid-elsewhere.ts';
import type { Settlement } from '../../../../services/payments/settlement/settlement.ts';
import type { SettlingContext } from '../../../../services/payments/settlement/settling-context.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { contextOf } from '../../../kit/context-of.ts';
import { keepLog } from '../../../kit/keep-log.ts';
import { claimOf, hex32, payment } from './claim-fixture.ts';

const silent = createLogger({ name: 'test', level: 'silent' });

function open(uses: readonly ('nothing' | 'another' | 'perhaps_us' | 'fails')[], logger = silent) {
  const asked: unknown[] = [];
  let nowMs = 0;
  const useOf = async (authorization: unknown) => {
    const use = uses[asked.length] ?? 'nothing';
    asked.push(authorization);
    if (use === 'fails') throw new Error('no answer');
    return use;
  };
  const mayHavePaid = createPaidElsewhere({ chain: { useOf } as never, now: () => nowMs, logger });
  return {
    asked,
    mayHavePaid,
    at: (ms: number) => {
      nowMs = ms;
    },
  };
}

test('what a payment was used for is remembered for a minute, whatever it was', async (t) => {
  for (const [use, isOurs] of [
    ['perhaps_us', true],
    ['another', false],
  ] as const) {
    const { asked, mayHavePaid, at } = open([use, 'nothing']);
    t.is(await mayHavePaid(payment), isOurs);
    at(59_999);
    t.is(await mayHavePaid(payment), isOurs);
    const { payer, authorization } = payment;
    t.deepEqual(asked, [{ payer, nonce: authorization.nonce, amount: 3000n }]);
    at(60_000);
    t.false(await mayHavePaid(payment));
    t.is(asked.length, 2);
  }
});

test('the log names no payment that was used for somebody else', async (t) => {
  for (const [use, lines] of [
    ['perhaps_us', 1],
    ['another', 0],
  ] as const) {
    const { logger, text } = keepLog();
    await open([use], logger).mayHavePaid(payment);
    t.is(text().split('a payment was settled on the chain').length - 1, lines);
  }
});

test('an unused payment may be used the next moment, and each payment has its own answer', async (t) => {
  const { asked, mayHavePaid } = open(['nothing', 'perhaps_us', 'another']);
  t.false(await mayHavePaid(payment));
  t.true(await mayHavePaid(payment));
  const other = { ...payment, authorization: { ...payment.authorization, nonce: hex32('2') } };
  t.false(await mayHavePaid(other));
  t.is(asked.length, 3);
});

test('a made-up payment with the nonce of another one and a different amount says nothing of that one', async (t) => {
  const { mayHavePaid } = open(['another', 'perhaps_us']);
  t.false(await mayHavePaid({ ...payment, authorization: { ...payment.authorization, value: 1n } }));
  t.true(await mayHavePaid(payment));
});

test('a node that lacks a use that another one showed says nothing of it', async (t) => {
  const { mayHavePaid } = open(['nothing', 'perhaps_us']);
  await t.throwsAsync(mayHavePaid(payment, true), { instanceOf: FacilitatorError });
  t.true(await mayHavePaid(payment, true));
});

test('ten thousand answers are remembered', async (t) => {
  const { asked, mayHavePaid } = open(Array.from({ length: 10_002 }, () => 'another'));
  const numbered = (n: number) => ({
    ...payment,
    authorization: { ...payment.authorization, nonce: `0x${n}` as const },
  });
  for (let n = 0; n < 10_000; n += 1) await mayHavePaid(numbered(n));
  await mayHavePaid(numbered(0));
  t.is(asked.length, 10_000);
  await mayHavePaid(numbered(10_000));
  await mayHavePaid(numbered(0));
  t.is(asked.length, 10_002);
});

test('without a chain nothing is known, and without an answer of the node nothing is said', async (t) => {
  t.false(await createPaidElsewhere({ chain: undefined, now: () => 0, logger: silent })(payment));
  await t.throwsAsync(open(['fails']).mayHavePaid(payment), { instanceOf: FacilitatorError });
});

/** Runs the work on open claims over stubs. */
function openFollower(batches: readonly number[], { isFinal = false, consultFails = false } = {}) {
  const taken: number[] = [];
  const consulted: string[] = [];
  const claims = {
    async takeDue(limit: number) {
      taken.push(limit);
      return Array.from({ length: batches[taken.length - 1] ?? 0 }, (_, n) => `${n}`);
    },
    findById: async (claimId: string) => (claimId === '1' ? undefined : claimOf({ claimId, final: isFinal })),
  };
  const settlement = contextOf<Settlement>({
    async consult(claim) {
      consulted.push(claim.claimId);
      if (consultFails) throw new Error('no answer');
      return { claim, view: { kind: 'unused' } };
    },
  });
  return {
    taken,
    consulted,
    follow: createOpenClaimsFollower(contextOf<SettlingContext>({ claims, logger: silent }), settlement),
  };
}

test('open claims are taken while batches are full, and one that is gone or final is left alone', async (t) => {
  const { follow, taken, consulted } = openFollower([100, 3]);
  await follow(new AbortController().signal);
  t.deepEqual(taken, [100, 100]);
  t.is(consulted.length, 101);
  const ended = openFollower([3], { isFinal: true });
  await ended.follow(new AbortController().signal);
  t.deepEqual(ended.consulted, []);
});

test('one fault does not stop the others, and an aborted run takes nothing', async (t) => {
  const faulty = openFollower([3], { consultFails: true });
  await faulty.follow(new AbortController().signal);
  t.deepEqual(faulty.consulted, ['0', '2']);
  const stopped = openFollower([100, 100]);
  await stopped.follow(AbortSignal.abort());
  t.deepEqual(stopped.taken, []);
});
