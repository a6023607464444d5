import test from 'ava';
import { VoidReason } from '../../../../proto/gen/tollhouse/ledger/v1/ledger.ts';
import { MAX_MICRO_USD } from '../../../../services/ledger/contract/channels.ts';
import {
  readAnswer,
  readChannelId,
  readCharge,
  readClaimedAnswer,
  readHold,
  readReservation,
  readVoid,
} from '../../../../services/ledger/service/read-items.ts';
import * as valid from './valid-items.ts';

const { ID, bytes } = valid;

const MAX_TIME_MS = 253_402_300_799_999n;
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
const IDENTIFIER = { signer: RESERVATION.wallet, hash: bytes(32) };

const readVoucher = { reservationId: ID, channelId: VOUCHER.channelId, cumulativeMicroUsd: 0n, deadlineMs: 8 };
const signature = `0x${hex(65)}`;

test('requests are read whole', (t) => {
  const { grantScope: _, ...reservation } = RESERVATION;
  const read = { ...reservation, expirationTimeMs: 9, deadlineMs: 8 };
  t.deepEqual(readReservation(RESERVATION), read);
  t.deepEqual(readReservation({ ...RESERVATION, grantScope: '10.0.0.0/24' }), { ...read, grantScope: '10.0.0.0/24' });
  const charge = { ...readVoucher, signature, amountMicroUsd: 5n, operation: 'geocode', fingerprint: hex(32) };
  t.deepEqual(readCharge(CHARGE), charge);
  t.deepEqual(readCharge({ ...CHARGE, holder: bytes(32), identifier: IDENTIFIER, isNew: true }), {
    ...charge,
    holder: hex(32),
    identifier: { signer: `0x${'aa'.repeat(20)}`, hash: hex(32) },
    isNew: true,
  });
  t.deepEqual(readHold(HOLD), { ...readVoucher, signature });
  t.deepEqual(readHold({ ...HOLD, amountMicroUsd: 6n }), { ...readVoucher, signature, amountMicroUsd: 6n });
  t.is(readAnswer(ANSWER), ANSWER);
  t.notThrows(() => readAnswer({ ...ANSWER, requestId: ID }));
  t.is(readClaimedAnswer(CLAIMED), CLAIMED);
  t.is(readChannelId(VOUCHER.channelId), VOUCHER.channelId);
  for (const [name, number] of [
    ['caller_failed', VoidReason.VOID_REASON_CALLER_FAILED],
    ['operation_failed', VoidReason.VOID_REASON_OPERATION_FAILED],
    ['retain_failed', VoidReason.VOID_REASON_RETAIN_FAILED],
    ['cancelled', VoidReason.VOID_REASON_CANCELLED],
    ['swept', VoidReason.VOID_REASON_SWEPT],
  ] as const) {
    t.deepEqual(readVoid({ reservationId: ID, reason: number }), { reservationId: ID, reason: name });
  }
});

const reservation = (changes: object) => () => readReservation({ ...RESERVATION, ...changes });
const charge = (changes: object) => () => readCharge({ ...CHARGE, ...changes });
const hold = (changes: object) => () => readHold({ ...HOLD, ...changes });

test('fields at their bounds are read', (t) => {
  for (const read of [
    reservation({ amountMicroUsd: 1n }),
    reservation({ amountMicroUsd: MAX_MICRO_USD }),
    reservation({ deadlineMs: 1n, expirationTimeMs: MAX_TIME_MS }),
    reservation({ operation: 'a' }),
    reservation({ operation: `a${'b'.repeat(63)}` }),
    reservation({ grantScope: '2001:db8::/48' }),
    charge({ cumulativeMicroUsd: MAX_MICRO_USD }),
    hold({ amountMicroUsd: MAX_MICRO_USD }),
  ]) {
    t.notThrows(read);
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
const times = [0n, -1n, MAX_TIME_MS + 1n];
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
  ['operation', (value) => charge({ operation: value }), operations],
  ['fingerprint', (value) => charge({ fingerprint: value }), [bytes(0), bytes(31), bytes(33)]],
  ['holder', (value) => charge({ holder: value }), [bytes(1), bytes(31), bytes(33)]],
  ['identifier.hash', (value) => charge({ identifier: { ...IDENTIFIER, hash: value } }), [bytes(0), bytes(31)]],
  ['identifier.signer', (value) => charge({ identifier: { ...IDENTIFIER, signer: value } }), addresses],
  ['reservation_id', (value) => charge({ reservationId: value }), ids],
  ['cumulative_micro_usd', (value) => charge({ cumulativeMicroUsd: value }), [MAX_MICRO_USD + 1n]],
  ['signature', (value) => charge({ signature: value }), [bytes(0), bytes(64), bytes(66)]],
  [
    'channel_id',
    (value) => charge({ channelId: value }),
    ['', `0x${hex(31)}`, `${VOUCHER.channelId}0`, `0x${'A'.repeat(64)}`, `x${VOUCHER.channelId}`],
  ],
  ['deadline_ms', (value) => charge({ deadlineMs: value }), times],
  ['amount_micro_usd', (value) => hold({ amountMicroUsd: value }), amounts],
  ['reservation_id', (value) => () => readAnswer({ ...ANSWER, reservationId: value }), ids],
  ['request_id', (value) => () => readAnswer({ ...ANSWER, requestId: value }), ids],
  ['claim_id', (value) => () => readClaimedAnswer({ ...CLAIMED, claimId: value }), ids],
  ['request_id', (value) => () => readClaimedAnswer({ ...CLAIMED, requestId: value }), ids],
  ['operation', (value) => () => readClaimedAnswer({ ...CLAIMED, operation: value }), operations],
  ['reservation_id', (value) => () => readVoid({ reservationId: value, reason: 1 }), ids],
  ['reason', (value) => () => readVoid({ reservationId: ID, reason: value }), [0, 99]],
];
for (const [index, [field, of, values]] of refusals.entries()) {
  test(`a ${field} of another form is refused by its name (${index})`, (t) => {
    for (const value of values) {
      const message = `${field} is missing or of another form`;
      t.throws(of(value as never), { code: 'INVALID_ARGUMENT', message } as never, String(value));
    }
  });
}
