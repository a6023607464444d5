import test from 'ava';
import { MAX_MICRO_USD } from '../../../../services/ledger/contract/channels.ts';
import { VOID_REASONS } from '../../../../services/ledger/contract/outcomes.ts';
import {
  checkAnswer,
  checkChannelId,
  checkCharge,
  checkClaimedAnswer,
  checkHold,
  checkReservation,
  checkVoid,
} from '../../../../services/ledger/service/check-items.ts';
import * as valid from './valid-items.ts';

const { ID, bytes } = valid;

const MAX_TIME_MS = 253_402_300_799_999;
const hex = (length: number) => '07'.repeat(length);
const RESERVATION = { ...valid.RESERVATION, wallet: `0x${'Aa'.repeat(20)}`, operation: 'geo-code_2' };
const CHARGE = { ...valid.CHARGE, cumulativeMicroUsd: 0n };
const VOUCHER = { ...valid.VOUCHER, cumulativeMicroUsd: 0n };
const HOLD = { ...VOUCHER, amountMicroUsd: undefined };
const ANSWER = { reservationId: ID, requestId: undefined, requestBody: bytes(1), responseBody: bytes(2) };
const CLAIMED = {
  claimId: ID,
  requestId: undefined,
  operation: 'geocode',
  dueInMs: 5,
  requestBody: bytes(1),
  responseBody: bytes(2),
};
const IDENTIFIER = { signer: `0x${'aa'.repeat(20)}`, hash: hex(32) };

const reservation = (changes: object) => () => checkReservation({ ...RESERVATION, ...changes });
const charge = (changes: object) => () => checkCharge({ ...CHARGE, ...changes });
const hold = (changes: object) => () => checkHold({ ...HOLD, ...changes });

test('items of the right form, and fields at their bounds, are accepted', (t) => {
  for (const check of [
    charge({}),
    charge({ holder: bytes(32), identifier: IDENTIFIER, isNew: true }),
    hold({}),
    () => checkAnswer(ANSWER),
    () => checkAnswer({ ...ANSWER, requestId: ID }),
    () => checkClaimedAnswer(CLAIMED),
    () => checkChannelId(VOUCHER.channelId),
    ...VOID_REASONS.map((reason) => () => checkVoid({ reservationId: ID, reason })),
    reservation({ amountMicroUsd: 1n }),
    reservation({ amountMicroUsd: MAX_MICRO_USD }),
    reservation({ deadlineMs: 1, expirationTimeMs: MAX_TIME_MS }),
    reservation({ operation: 'a' }),
    reservation({ operation: `a${'b'.repeat(63)}` }),
    reservation({ grantScope: '2001:db8::/48' }),
    charge({ cumulativeMicroUsd: MAX_MICRO_USD }),
    hold({ amountMicroUsd: MAX_MICRO_USD }),
  ]) {
    t.notThrows(check);
  }
});

const ids = ['', '1', '018f0000-0000-4000-8000-000000000000'];
const addresses = [
  '',
  `${RESERVATION.wallet}0`,
  `x${RESERVATION.wallet}`,
  RESERVATION.wallet.slice(2),
  `0x${'g'.repeat(40)}`,
];
const amounts = [0n, -1n, MAX_MICRO_USD + 1n];
const operations = ['', 'A', '1a', '-a', 'a b', 'aB', `a${'b'.repeat(64)}`];
const times = [0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, MAX_TIME_MS + 1];
const hashes = ['', 'x', hex(31), `${hex(32)}0`, `x${hex(32)}`, 'A'.repeat(64)];
const refusals: readonly (readonly [string, (value: never) => () => unknown, readonly unknown[]])[] = [
  ['reservation_id', (value) => reservation({ reservationId: value }), ids],
  ['wallet', (value) => reservation({ wallet: value }), addresses],
  ['nonce', (value) => reservation({ nonce: value }), ['', 'a'.repeat(31), 'a'.repeat(33), 'A'.repeat(32)]],
  ['operation', (value) => reservation({ operation: value }), operations],
  ['amount_micro_usd', (value) => reservation({ amountMicroUsd: value }), amounts],
  [
    'grant_scope',
    (value) => reservation({ grantScope: value }),
    ['', '10.0.0.0', '10.0.0.0/', '10.0.0.0/1234', 'x10.0.0.0/24', '10.0.0.0/24x', 'a/1', `${'a'.repeat(46)}/1`],
  ],
  ['expiration_time_ms', (value) => reservation({ expirationTimeMs: value }), times],
  ['deadline_ms', (value) => reservation({ deadlineMs: value }), times],
  ['amount_micro_usd', (value) => charge({ amountMicroUsd: value }), amounts],
  ['operation', (value) => charge({ operation: value }), [...operations, 'channel-refund']],
  ['fingerprint', (value) => charge({ fingerprint: value }), hashes],
  ['holder', (value) => charge({ holder: value }), [bytes(0), bytes(31), bytes(33)]],
  ['identifier', (value) => charge({ identifier: { ...IDENTIFIER, hash: value } }), hashes],
  [
    'identifier',
    (value) => charge({ identifier: { ...IDENTIFIER, signer: value } }),
    [...addresses, RESERVATION.wallet],
  ],
  ['reservation_id', (value) => charge({ reservationId: value }), ids],
  ['cumulative_micro_usd', (value) => charge({ cumulativeMicroUsd: value }), [MAX_MICRO_USD + 1n]],
  [
    'signature',
    (value) => charge({ signature: value }),
    ['', `0x${hex(64)}`, `0x${hex(66)}`, hex(66), `0x${hex(64)}0|`],
  ],
  ['signature', (value) => hold({ signature: value }), ['', `0x${hex(64)}`]],
  [
    'channel_id',
    (value) => charge({ channelId: value }),
    ['', `0x${hex(31)}`, `${VOUCHER.channelId}0`, `0x${'A'.repeat(64)}`, `x${VOUCHER.channelId}`],
  ],
  ['deadline_ms', (value) => charge({ deadlineMs: value }), times],
  ['amount_micro_usd', (value) => hold({ amountMicroUsd: value }), amounts],
  ['reservation_id', (value) => () => checkAnswer({ ...ANSWER, reservationId: value }), ids],
  ['request_id', (value) => () => checkAnswer({ ...ANSWER, requestId: value }), ids],
  ['claim_id', (value) => () => checkClaimedAnswer({ ...CLAIMED, claimId: value }), ids],
  ['request_id', (value) => () => checkClaimedAnswer({ ...CLAIMED, requestId: value }), ids],
  ['operation', (value) => () => checkClaimedAnswer({ ...CLAIMED, operation: value }), operations],
  ['reservation_id', (value) => () => checkVoid({ reservationId: value, reason: 'swept' }), ids],
  ['reason', (value) => () => checkVoid({ reservationId: ID, reason: value }), ['', 'Swept', 'x']],
  ['channel_id', (value) => () => checkChannelId(value), ['', '0x1']],
];
for (const [index, [field, of, values]] of refusals.entries()) {
  test(`a ${field} of another form is refused by its name (${index})`, (t) => {
    for (const value of values) {
      const message = `${field} is missing or of another form`;
      t.throws(of(value as never), { code: 'INVALID_ARGUMENT', message } as never, String(value));
    }
  });
}
