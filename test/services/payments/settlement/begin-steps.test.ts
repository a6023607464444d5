import test from 'ava';
import { RefusalCode } from '../../../../proto/gen/tollhouse/payments/v1/payments.ts';
import type { IdentifiedCall } from '../../../../services/payments/claims/claims.ts';
import type { Presentation } from '../../../../services/payments/settlement/begin.ts';
import { ServiceError } from '../../../../services/platform/grpc/service-error.ts';
import { NAMED, open, refusal, type Setting } from './begin-setting.ts';
import { claimOf, hex32, NETWORK, PAYER, payment } from './claim-fixture.ts';

const {
  REFUSAL_CODE_CLOSED: CLOSED,
  REFUSAL_CODE_FACILITATOR_FAILURE: FAILURE,
  REFUSAL_CODE_IN_PROGRESS: IN_PROGRESS,
  REFUSAL_CODE_MALFORMED: MALFORMED,
  REFUSAL_CODE_NOT_ACCEPTED: NOT_ACCEPTED,
  REFUSAL_CODE_REUSED: REUSED,
  REFUSAL_CODE_SETTLEMENT_PENDING: PENDING,
  REFUSAL_CODE_THROTTLED: THROTTLED,
} = RefusalCode;

const resumed = { outcome: { $case: 'resume' as const, value: { claimId: 'c1' } } };
const replayed = (paymentResponseJson: string) => ({
  outcome: { $case: 'replay' as const, value: { claimId: 'c1', paymentResponseJson } },
});
const PAID = replayed('paid');
const IN_USE = refusal(REUSED, 'payment_reused');
const EXECUTING = claimOf({ state: 'executing' });
const KEPT = claimOf({ state: 'retained' });
const LEASED = claimOf({ state: 'executing', isLeased: true });
const SETTLED = claimOf({ state: 'settled', paymentResponseJson: 'paid' });
const NAMED_SETTLED = claimOf({ ...SETTLED, ...NAMED });
const FAILED = claimOf({ state: 'failed', paymentResponseJson: 'no' });
const closed = refusal(CLOSED, 'settlement_failed', 'no');
const call = (state: IdentifiedCall['state'], fingerprint = 'f1'): IdentifiedCall => ({
  ...{ recordId: 'c1', fingerprint, state },
});
const OPEN = { calls: [call('open')] };
const PENDING_CALL = { calls: [call('pending')] };
const CHARGED = { calls: [call('charged')] };
const OTHERS = { calls: [call('charged', 'f2')] };
const IN_FLIGHT = refusal(PENDING, 'settlement_pending');
const NAME_PENDING = refusal(PENDING, 'identifier_pending');
const BUSY = refusal(IN_PROGRESS, 'payment_in_progress');
const FAULT = refusal(FAILURE, 'facilitator_failure');
const TOO_MUCH = refusal(THROTTLED, 'too_much_in_flight');
const SHORT = { inFlight: 7n };
const SHORT_OF_IT = refusal(
  NOT_ACCEPTED,
  'invalid_exact_evm_insufficient_balance: the balance is 1000, of which 7 is in flight, and this payment is of 3000',
);
const WHY = { ok: false, reason: 'why' } as const;
const REFUSED = refusal(NOT_ACCEPTED, WHY.reason);
const MISMATCH = { ok: true, payment, mismatch: 'x: y' } as const;
/** Anybody may have made up its signature. */
const UNPROVEN = { ok: true, payment: { ...payment, walletSignature: '0x22' }, mismatch: undefined } as const;
const UNFIT = refusal(NOT_ACCEPTED, MISMATCH.mismatch);
const STRANGER = { offerSecretHash: 's2' };
const NO_SECRET = { offerSecretHash: undefined };
const UNREADABLE = { ok: false, reason: 'x: y' } as const;
const BY_CHANNEL = replayed(JSON.stringify({ success: true, transaction: '', network: NETWORK, payer: PAYER }));

type Row = readonly [name: string, expected: unknown, setting: Setting, presented?: Partial<Presentation>];
const answers: readonly Row[] = [
  ['malformed', refusal(MALFORMED, 'x: y'), { read: { ...UNREADABLE, code: 'MALFORMED' } }],
  ['of another kind', UNFIT, { read: { ...UNREADABLE, code: 'NOT_ACCEPTED' } }],
  ['whose claim has a lease', BUSY, { found: [LEASED] }],
  ['whose answer is kept', resumed, { found: [KEPT] }],
  ['that was not sent', resumed, { found: [claimOf({ state: 'unsent' })] }],
  ['that is settled', PAID, { found: [SETTLED] }],
  ['that failed for good', closed, { found: [claimOf({ ...FAILED, final: true })], consulted: SETTLED }],
  ['that failed', closed, { found: [FAILED] }],
  ['that failed, and the chain proves otherwise', PAID, { found: [FAILED, SETTLED], consulted: SETTLED }],
  ['that is being settled', resumed, { found: [claimOf()] }],
  ['that was reverted', resumed, { found: [claimOf()], view: { kind: 'reverted' } }],
  ['that is on its way', IN_FLIGHT, { found: [claimOf()], view: { kind: 'in_flight' } }],
  ['of which the chain says nothing', IN_FLIGHT, { found: [claimOf()], view: { kind: 'unsure' } }],
  ['of which no chain says anything', resumed, { found: [claimOf()], view: { kind: 'unsure' }, hasChain: false }],
  ['that another attempt settles', IN_FLIGHT, { found: [claimOf()], consulted: claimOf({ isLeased: true }) }],
  ['that was settled meanwhile', PAID, { found: [claimOf(), SETTLED], consulted: SETTLED }],
  ['of another request', IN_USE, { found: [SETTLED] }, { fingerprint: 'f2' }],
  ['of another request, as its name', IN_USE, { found: [NAMED_SETTLED], ...CHARGED }, { fingerprint: 'f2', ...NAMED }],
  ['whose claim and identifier are in use', BUSY, { found: [LEASED], ...OPEN }, NAMED],
  ['that is signed again', IN_USE, { found: [claimOf({ ...SETTLED, digest: 'd2' })] }],
  ['of a stranger, and has a lease', IN_USE, { found: [LEASED] }, STRANGER],
  ['of a stranger', IN_USE, { found: [SETTLED] }, STRANGER],
  ['of a stranger with a name', IN_USE, { found: [SETTLED] }, { ...STRANGER, ...NAMED }],
  ['of a stranger without a secret', IN_USE, { found: [SETTLED] }, NO_SECRET],
  ['that its payer names', PAID, { found: [NAMED_SETTLED] }, { ...STRANGER, ...NAMED }],
  ['with another name', IN_USE, { found: [NAMED_SETTLED] }, { ...STRANGER, paymentIdentifierHash: 'i2' }],
  ['that its payer names, without a secret', PAID, { found: [NAMED_SETTLED] }, { ...NO_SECRET, ...NAMED }],
  ['that does not match', UNFIT, { read: MISMATCH }],
  ['that does not match, whose answer is kept', resumed, { read: MISMATCH, found: [KEPT] }],
  ['that does not match, and was settled', PAID, { read: MISMATCH, found: [SETTLED] }],
  ['that does not match, of a stranger', IN_USE, { read: MISMATCH, found: [SETTLED] }, STRANGER],
  ['that does not match, whose identifier was charged', UNFIT, { read: MISMATCH, ...CHARGED }, NAMED],
  ['that does not match, whose identifier is of another request', UNFIT, { read: MISMATCH, ...OTHERS }, NAMED],
  ['that does not match and paid us', IN_USE, { read: MISMATCH, use: 'perhaps_us' }],
  ['that does not match and paid another', UNFIT, { read: MISMATCH, use: 'another' }],
  ['that cannot be looked up', FAULT, { read: MISMATCH, use: 'fails' }],
  ['of a payer with too many failures', refusal(THROTTLED, 'too_many_failures'), { isThrottled: true }],
  ['that the facilitator refuses', REFUSED, { verification: WHY }],
  ['that it refuses because it paid us', IN_USE, { verification: WHY, use: 'perhaps_us' }],
  ['that was settled while it was verified', PAID, { verification: WHY, found: [undefined, SETTLED] }],
  ['whose claim was settled while it was verified', PAID, { verification: WHY, found: [EXECUTING, SETTLED] }],
  [
    'whose claim was taken over while it was verified',
    BUSY,
    { verification: WHY, found: [EXECUTING, claimOf({ ...LEASED, claimId: 'c2' })] },
  ],
  ['whose claim stayed while it was verified', REFUSED, { verification: WHY, found: [EXECUTING] }],
  ['that cannot be verified', FAULT, { verification: 'fails' }],
  ['whose balance cannot be read', FAULT, { chainFails: true }],
  ['for which there is too little money', SHORT_OF_IT, { opened: [SHORT] }],
  ['with too little money beside many others', SHORT_OF_IT, { opened: ['throttled', SHORT] }],
  ['of a payer with too many others', TOO_MUCH, { opened: ['throttled'] }],
  ['of such a payer without a chain', TOO_MUCH, { opened: ['throttled', 'opened'], hasChain: false }],
  ['for which the money cannot be counted', FAULT, { opened: [SHORT], holdingsFail: true }],
  ['whose claim another caller opened', PAID, { opened: ['changed'], found: [undefined, SETTLED] }],
  ['whose caller finds no place to wait', BUSY, { found: [LEASED], isFull: true }],
  ['whose identifier is of another request', refusal(REUSED, 'identifier_reused'), OTHERS, NAMED],
  ['whose identifier is in use', refusal(IN_PROGRESS, 'identifier_in_progress'), OPEN, NAMED],
  ['whose identifier is of an answer that is kept', NAME_PENDING, { ...PENDING_CALL, byId: KEPT }, NAMED],
  ['whose identifier is of an attempt', NAME_PENDING, { ...PENDING_CALL, byId: claimOf({ isLeased: true }) }, NAMED],
  ['whose identifier is of a settlement', NAME_PENDING, { ...PENDING_CALL, byId: claimOf() }, NAMED],
  ['whose identifier has no claim any more', NAME_PENDING, PENDING_CALL, NAMED],
  ['whose identifier is paid', PAID, { ...PENDING_CALL, byId: SETTLED }, NAMED],
  ['whose identifier is paid, and itself too', IN_USE, { ...PENDING_CALL, byId: SETTLED, use: 'perhaps_us' }, NAMED],
  ['whose identifier was charged to a channel', BY_CHANNEL, CHARGED, NAMED],
  ['whose identifier was charged to a channel, and paid us', IN_USE, { ...CHARGED, use: 'perhaps_us' }, NAMED],
  ['that only the token can judge, of a claim', PAID, { read: UNPROVEN, found: [SETTLED] }],
  ['that the token refuses', REFUSED, { read: UNPROVEN, verification: WHY }],
  ...[OPEN, PENDING_CALL, CHARGED, OTHERS].map(
    (calls, n): Row => [
      `that the token refuses, with an identifier (${n})`,
      REFUSED,
      { read: UNPROVEN, verification: WHY, byId: SETTLED, ...calls },
      NAMED,
    ],
  ),
  [
    'that nobody can judge, whose identifier is paid',
    FAULT,
    { read: UNPROVEN, verification: 'fails', ...CHARGED, byId: SETTLED },
    NAMED,
  ],
  ['that the token takes, whose identifier is paid', PAID, { read: UNPROVEN, ...CHARGED, byId: SETTLED }, NAMED],
];
for (const [name, expected, setting, presented] of answers) {
  test(`a payment ${name} is answered so`, async (t) => {
    const { begin, openings } = open(setting);
    t.deepEqual(await begin(presented), expected as never);
    if (setting.opened === undefined) t.deepEqual(openings, []);
  });
}

for (const [name, byId, isAwaited] of [
  ['an answer that is kept', claimOf({ state: 'retained' }), true],
  ['an attempt', claimOf({ isLeased: true }), true],
  ['a settlement that nobody attempts', claimOf(), false],
] as const) {
  test(`a payment whose identifier is of ${name} is answered ${isAwaited ? 'after waiting' : 'at once'}`, async (t) => {
    const { begin, queues } = open({ calls: [call('pending')], byId });
    await begin(NAMED);
    t.is(queues.length, isAwaited ? 1 : 0);
  });
}

test('a new payment gets a claim with all that it shows, a lease, and what was read of the chain', async (t) => {
  const { begin, openings } = open();
  const { outcome } = await begin(NAMED);
  const [{ claim, options } = {}] = openings;
  t.deepEqual(outcome, { $case: 'execute', value: { claimId: claim?.claimId, payer: PAYER } } as never);
  t.deepEqual(claim as unknown, {
    claimId: claim?.claimId,
    payer: PAYER,
    nonce: hex32('1'),
    digest: 'd1',
    fingerprint: 'f1',
    offerSecretHash: 's1',
    paymentIdentifierHash: 'i1',
    payTo: payment.authorization.to,
    amount: 3000n,
    validBeforeS: 2000,
    fromBlock: 12n,
  });
  t.deepEqual(options, {
    authorization: { keyId: 'k1', sealed: Buffer.from(`${claim?.claimId}`) },
    leaseMs: 5700,
    replaces: undefined,
    balance: 9000n,
    since: new Date(0),
  });
});

test('a payment that is resumed has its authorization stored again first', async (t) => {
  for (const state of ['retained', 'unsent', 'settling'] as const) {
    const { begin, asked } = open({ found: [claimOf({ state })] });
    t.deepEqual(await begin(), resumed);
    t.is(asked.at(-1), `keep c1 ${payment.signature}`);
  }
});

test('an execution whose lease has ended is taken over, with the secret of its offer', async (t) => {
  const { begin, openings } = open({ found: [claimOf({ ...EXECUTING, ...NAMED })] });
  t.is((await begin({ ...NAMED, offerSecretHash: undefined })).outcome?.$case, 'execute');
  t.like(openings[0], { claim: { offerSecretHash: 's1' }, options: { replaces: 'c1' } });
});

test('a new payment that echoes no secret of an offer is told to repeat the offer', async (t) => {
  const { outcome } = await open().begin({ offerSecretHash: undefined });
  t.is(outcome?.$case, 'refuse');
  t.regex(outcome?.$case === 'refuse' ? outcome.value.reason : '', /^invalid_payment_requirements: .*offerSecret/);
  t.like(outcome?.value, { code: NOT_ACCEPTED });
});

test('a payment that is not valid long enough is told the bounds', async (t) => {
  for (const [nowMs, isExecuted] of [
    [1_980_000, true],
    [1_981_000, false],
  ] as const) {
    const { outcome } = await open({ nowMs }).begin();
    t.is(outcome?.$case, isExecuted ? 'execute' : 'refuse');
  }
});

test('where the payer seems to have too little, what the chain has deducted is left out', async (t) => {
  const { begin, openings } = open({ opened: [SHORT, 'opened'] });
  t.is((await begin()).outcome?.$case, 'execute');
  const [first, second] = openings.map(({ options }) => options);
  t.like(first, { balance: 9000n, since: new Date(0), used: undefined });
  t.deepEqual(second, { ...first, balance: 1000n, used: [hex32('9')], since: new Date(1) });
});

for (const [name, setting, changes, code] of [
  ['while calls are frozen', {}, { callsFrozen: true }, 'CALLS_FROZEN'],
  ['while no claim may be opened', { isClosed: true }, {}, 'PAYMENT_UNAVAILABLE'],
  ['while settlements could not be paid for', { isPoor: true }, {}, 'PAYMENT_UNAVAILABLE'],
] as const) {
  test(`${name}, no payment is verified, and one that is settled is replayed`, async (t) => {
    const { begin, asked } = open(setting);
    await t.throwsAsync(begin(changes), { instanceOf: ServiceError, code } as never);
    t.false(asked.includes('verify'));
    t.deepEqual(await open({ ...setting, found: [SETTLED] }).begin(changes), replayed('paid'));
  });
}

test('a payment that waits for its identifier is verified once', async (t) => {
  const { begin, count } = open({ read: UNPROVEN, calls: [call('open')] });
  await begin(NAMED);
  t.true(count('findCall') > 1);
  t.is(count('verify'), 1);
});

test('a payment that only the token can judge costs no call of the node before all else is right', async (t) => {
  const late = {
    ...UNPROVEN,
    payment: { ...UNPROVEN.payment, authorization: { ...payment.authorization, validBefore: 1n } },
  };
  for (const [setting, changes] of [
    [{ read: { ...UNPROVEN, mismatch: 'x: y' } }, {}],
    [{}, { offerSecretHash: undefined }],
    [{ read: late }, {}],
    [{ isThrottled: true }, {}],
  ] as const) {
    const { begin, count } = open({ read: UNPROVEN, ...setting });
    await begin(changes);
    t.is(count('verify'), 0);
  }
});

test('a caller waits in the queues of its payment and of its identifier, and leaves them', async (t) => {
  const { begin, queues, count } = open({ found: [LEASED] });
  const payer = PAYER.toLowerCase();
  await begin();
  t.deepEqual(queues, [[`${payer} ${hex32('1')}`]]);
  t.is(count('left'), 1);
  const named = open({ calls: [call('open')] });
  await named.begin({ paymentIdentifierHash: 'I1' });
  t.deepEqual(named.queues, [[`${payer} ${hex32('1')}`, `${payer} i1`]]);
});

test('a charge of a channel is replayed once it is durable, and what is settled needs no such wait', async (t) => {
  const charged = open({ calls: [call('charged')] });
  await charged.begin(NAMED);
  t.is(charged.count('sync'), 1);
  const settled = open({ calls: [call('charged')], byId: SETTLED });
  t.deepEqual(await settled.begin(NAMED), replayed('paid'));
  t.is(settled.count('sync'), 0);
});

test('a call whose claim changes while it is consulted is looked up again', async (t) => {
  for (const consulted of [SETTLED, claimOf({ final: true })]) {
    const { begin, count } = open({ calls: [call('pending'), undefined], byId: claimOf(), consulted });
    t.is((await begin(NAMED)).outcome?.$case, 'execute');
    t.is(count('consult'), 1);
  }
});

test('a fault that is not the facilitator’s is thrown', async (t) => {
  await t.throwsAsync(open({ found: [claimOf({ state: 'settled' })] }).begin(), { instanceOf: TypeError });
});
