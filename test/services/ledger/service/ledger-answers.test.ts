import test from 'ava';
import { LedgerUnavailableError } from '../../../../services/ledger/contract/ledger.ts';
import type { LedgerStore } from '../../../../services/ledger/service/ledger-service.ts';
import { createLedgerAnswers } from '../../../../services/ledger/service/ledger-service.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { CHARGE, ID, RESERVATION, VOUCHER } from './valid-items.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const AMOUNTS = {
  fundedMicroUsd: 9n,
  balanceMicroUsd: 4n,
  reservedMicroUsd: 3n,
  chargedMicroUsd: 2n,
  contract: undefined,
};
const ACCOUNT = { ...AMOUNTS, voucher: { cumulativeMicroUsd: 2n, signature: '0x0102' } };
const BODIES = { requestBody: Buffer.from('question'), responseBody: Buffer.from('answer') };

const unasked = () => Promise.reject(new Error('nobody asked for this'));

/** The answers of a store with some methods of a test. */
function open(store: Partial<LedgerStore> = {}, { isClosed = false } = {}) {
  const asked: string[] = [];
  const closedBecause = isClosed ? 'a standby' : undefined;
  const others = { reserve: unasked, post: unasked, void: unasked, keep: unasked, budget: unasked };
  const ofChannels = { charge: unasked, holdRefund: unasked, channels: unasked };
  const answers = createLedgerAnswers({
    store: { ...others, ...ofChannels, ...store },
    gate: {
      closedBecause: () => closedBecause,
      status: async () => ({ nowMs: 5000, closedBecause }),
      admit() {
        if (isClosed) throw new LedgerUnavailableError('not_ready', 'a standby');
      },
      guard(write) {
        asked.push('guard');
        return write;
      },
      watch(post) {
        asked.push('watch');
        return post;
      },
      check: async () => {},
      close() {},
    },
    cipher: { keyId: 'k1', seal: async (body, { recordId, part }) => Buffer.from(`${body} of ${recordId} ${part}`) },
    logger,
  });
  return { answers, asked };
}
const fails = (error: Error) => () => Promise.reject(error);

test('answers are sealed for their record before they are stored, and watched', async (t) => {
  const stored: unknown[] = [];
  const { answers, asked } = open({
    async post(answer) {
      stored.push(answer);
      return { state: 'posted', balanceMicroUsd: 3n };
    },
    async keep(answer) {
      stored.push(answer);
      return 'superseded';
    },
  });
  const posted = await answers.post({ ...BODIES, reservationId: ID, requestId: ID });
  t.deepEqual(posted, { state: 'posted', balanceMicroUsd: 3n });
  const claimed = { ...BODIES, claimId: ID, requestId: undefined, operation: 'geocode', dueInMs: 5 };
  t.deepEqual(await answers.keep(claimed), { state: 'superseded' });
  const sealed = {
    keyId: 'k1',
    request: Buffer.from(`question of ${ID} request`),
    response: Buffer.from(`answer of ${ID} response`),
  };
  t.deepEqual(stored, [
    { reservationId: ID, requestId: ID, ...sealed },
    { claimId: ID, requestId: undefined, operation: 'geocode', dueInMs: 5, ...sealed },
  ]);
  t.deepEqual(asked, ['watch', 'watch']);
});

test('a void is answered by its state', async (t) => {
  const asked: unknown[] = [];
  const { answers } = open({
    async void(...args) {
      asked.push(args);
      return { state: 'busy', balanceMicroUsd: 3n };
    },
  });
  const voided = await answers.void({ reservationId: ID, reason: 'swept' });
  t.deepEqual(voided, { state: 'busy', balanceMicroUsd: 3n });
  t.deepEqual(asked, [[ID, 'swept']]);
});

test('up to five hundred channels are read, and one whose voucher cannot be opened has its sums', async (t) => {
  const broken = {
    ...AMOUNTS,
    voucher: {
      cumulativeMicroUsd: 2n,
      get signature(): string {
        throw new Error('another key');
      },
    },
  };
  const { answers } = open({ channels: async () => [ACCOUNT, broken, { ...AMOUNTS, voucher: undefined }] });
  const without = { ...AMOUNTS, voucher: undefined };
  const channelIds = Array.from({ length: 500 }, () => VOUCHER.channelId);
  t.deepEqual(await answers.readChannels({ channelIds }), { accounts: [ACCOUNT, without, without] });
  await t.throwsAsync(answers.readChannels({ channelIds: [...channelIds, VOUCHER.channelId] }), {
    code: 'INVALID_ARGUMENT',
    message: 'more than 500 channels',
  });
  await t.throwsAsync(answers.readChannels({ channelIds: ['0x1'] }), { code: 'INVALID_ARGUMENT' });
});

test('the status has the budget, and what the gate says', async (t) => {
  const budget = { dayUtc: '2026-11-27', remainingMicroUsd: 8n };
  for (const closedBecause of [undefined, 'a standby']) {
    const isClosed = closedBecause !== undefined;
    const { answers } = open({ budget: async () => budget }, { isClosed });
    t.deepEqual(await answers.readStatus({ withBudget: true }), { nowMs: 5000, closedBecause, budget });
    t.is((await answers.readStatus({ withBudget: false })).budget, undefined);
  }
});

test('a reserve that fails as the ledger explains has a code', async (t) => {
  for (const [found, code] of [
    ['not_ready', 'LEDGER_CLOSED'],
    ['uncertain', 'LEDGER_UNCERTAIN'],
    ['refused', 'LEDGER_REFUSED'],
    ['lock_timeout', 'LEDGER_REFUSED'],
  ] as const) {
    const { answers } = open({ reserve: fails(new LedgerUnavailableError(found, 'x')) });
    await t.throwsAsync(answers.reserve(RESERVATION), { code, message: 'x' }, found);
  }
});

test('a fault that is not the ledger’s is not explained', async (t) => {
  const fault = new TypeError('a bug');
  const { answers } = open({ reserve: fails(fault), void: fails(new RangeError('x')) });
  t.is(await t.throwsAsync(answers.reserve(RESERVATION)), fault);
  const voided = answers.void({ reservationId: ID, reason: 'swept' });
  await t.throwsAsync(voided, { instanceOf: RangeError });
});

test('reserves, charges and holds are guarded, and wait for an open gate, and posts do not', async (t) => {
  const refused = async () => ({ state: 'channel_busy' as const, account: ACCOUNT });
  const post = async () => ({ state: 'unknown' as const, balanceMicroUsd: undefined });
  const store = { reserve: async () => ({ state: 'lock_lost' as const }), charge: refused, holdRefund: refused, post };
  const workOf = ({ answers }: ReturnType<typeof open>) => [
    () => answers.reserve(RESERVATION),
    () => answers.charge(CHARGE),
    () => answers.holdRefund({ ...VOUCHER, amountMicroUsd: undefined }),
  ];
  const [opened, closed] = [open(store), open(store, { isClosed: true })];
  for (const work of workOf(opened)) await work();
  t.deepEqual(opened.asked, ['guard', 'guard', 'guard']);
  for (const work of workOf(closed)) await t.throwsAsync(work, { code: 'LEDGER_CLOSED', message: 'a standby' });
  const { state } = await closed.answers.post({ ...BODIES, reservationId: ID, requestId: undefined });
  t.is(state, 'unknown');
});
