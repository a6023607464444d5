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
const IN_USE = refusal(REUSED, 'payment_reused');
const SETTLED = claimOf({ state: 'settled', paymentResponseJson: 'paid' });
const FAILED = claimOf({ state: 'failed', paymentResponseJson: 'no' });
const closed = {
  outcome: {
    $case: 'refuse' as const,
    value: { code: CLOSED, reason: 'settlement_failed', paymentResponseJson: 'no' },
  },
};
const EXECUTING = claimOf({ state: 'executing' });
const LEASED = claimOf({ state: 'executing', isLeased: true });
const call = (state: IdentifiedCall['state'], changes: Partial<IdentifiedCall> = {}): IdentifiedCall => ({
  recordId: 'c1',
  fingerprint: 'f1',
  state,
  ...changes,
});
const IN_FLIGHT = refusal(PENDING, 'settlement_pending');
const NAME_PENDING = refusal(PENDING, 'identifier_pending');
const BUSY = refusal(IN_PROGRESS, 'payment_in_progress');
const FAULT = refusal(FAILURE, 'facilitator_failure');
const TOO_MUCH = refusal(THROTTLED, 'too_much_in_flight');
const SHORT = { inFlight: 7n };
const shortOf = (balance: number) =>
  refusal(
    NOT_ACCEPTED,
    `invalid_exact_evm_insufficient_balance: the balance is ${balance}, of which 7 is in flight, and this payment is of 3000`,
  );
const WHY = { ok: false, reason: 'why' } as const;
const REFUSED = refusal(NOT_ACCEPTED, WHY.reason);
const MISMATCH = { ok: true, payment, mismatch: 'x: y' } as const;
/** Anybody may have made up its signature. */
const UNPROVEN = { ok: true, payment: { ...payment, walletSignature: '0x22' }, mismatch: undefined } as const;
const UNFIT = refusal(NOT_ACCEPTED, MISMATCH.mismatch);

const answers: readonly (readonly [string, Setting, Partial<Presentation>, unknown])[] = [
  ['malformed', { read: { ok: false, code: 'MALFORMED', reason: 'x: y' } }, {}, refusal(MALFORMED, 'x: y')],
  ['of another kind', { read: { ok: false, code: 'NOT_ACCEPTED', reason: 'x: y' } }, {}, UNFIT],
  ['whose claim has a lease', { found: [LEASED] }, {}, BUSY],
  ['whose answer is kept', { found: [claimOf({ state: 'retained' })] }, {}, resumed],
  ['that was not sent', { found: [claimOf({ state: 'unsent' })] }, {}, resumed],
  ['that is settled', { found: [SETTLED] }, {}, replayed('paid')],
  ['that failed for good', { found: [claimOf({ ...FAILED, final: true })], consulted: SETTLED }, {}, closed],
  ['that failed', { found: [FAILED] }, {}, closed],
  [
    'that failed, and the chain proves otherwise',
    { found: [FAILED, SETTLED], consulted: SETTLED },
    {},
    replayed('paid'),
  ],
  ['that is being settled', { found: [claimOf()] }, {}, resumed],
  ['that was reverted', { found: [claimOf()], view: { kind: 'reverted' } }, {}, resumed],
  ['that is on its way', { found: [claimOf()], view: { kind: 'in_flight' } }, {}, IN_FLIGHT],
  ['of which the chain says nothing', { found: [claimOf()], view: { kind: 'unsure' } }, {}, IN_FLIGHT],
  [
    'of which nothing is known without a chain',
    { found: [claimOf()], view: { kind: 'unsure' }, hasChain: false },
    {},
    resumed,
  ],
  ['that another attempt settles', { found: [claimOf()], consulted: claimOf({ isLeased: true }) }, {}, IN_FLIGHT],
  ['that was settled meanwhile', { found: [claimOf(), SETTLED], consulted: SETTLED }, {}, replayed('paid')],
  ['of another request', { found: [SETTLED] }, { fingerprint: 'f2' }, IN_USE],
  [
    'of another request, as is its identifier',
    { found: [claimOf({ ...SETTLED, ...NAMED })], calls: [call('charged')] },
    { fingerprint: 'f2', ...NAMED },
    IN_USE,
  ],
  ['whose claim and identifier are in use', { found: [LEASED], calls: [call('open')] }, NAMED, BUSY],
  ['that is signed again', { found: [claimOf({ ...SETTLED, digest: 'd2' })] }, {}, IN_USE],
  ['of a stranger, and has a lease', { found: [LEASED] }, { offerSecretHash: 's2' }, IN_USE],
  ['of a stranger', { found: [SETTLED] }, { offerSecretHash: 's2' }, IN_USE],
  ['of a stranger with a name', { found: [SETTLED] }, { offerSecretHash: 's2', ...NAMED }, IN_USE],
  ['of a stranger without a secret', { found: [SETTLED] }, { offerSecretHash: undefined }, IN_USE],
  [
    'that its payer names',
    { found: [claimOf({ ...SETTLED, ...NAMED })] },
    { offerSecretHash: 's2', ...NAMED },
    replayed('paid'),
  ],
  [
    'that its payer names otherwise',
    { found: [claimOf({ ...SETTLED, ...NAMED })] },
    { offerSecretHash: 's2', paymentIdentifierHash: 'i2' },
    IN_USE,
  ],
  [
    'that its payer names, without a secret',
    { found: [claimOf({ ...SETTLED, ...NAMED })] },
    { offerSecretHash: undefined, ...NAMED },
    replayed('paid'),
  ],
  ['that does not match', { read: MISMATCH }, {}, UNFIT],
  [
    'that does not match, whose answer is kept',
    { read: MISMATCH, found: [claimOf({ state: 'retained' })] },
    {},
    resumed,
  ],
  ['that does not match, and was settled', { read: MISMATCH, found: [SETTLED] }, {}, replayed('paid')],
  ['that does not match, of a stranger', { read: MISMATCH, found: [SETTLED] }, { offerSecretHash: 's2' }, IN_USE],
  ['that does not match, whose identifier was charged', { read: MISMATCH, calls: [call('charged')] }, NAMED, UNFIT],
  [
    'that does not match, whose identifier is of another request',
    { read: MISMATCH, calls: [call('charged', { fingerprint: 'f2' })] },
    NAMED,
    UNFIT,
  ],
  ['that does not match and paid us', { read: MISMATCH, use: 'perhaps_us' }, {}, IN_USE],
  ['that does not match and paid another', { read: MISMATCH, use: 'another' }, {}, UNFIT],
  ['that cannot be looked up', { read: MISMATCH, use: 'fails' }, {}, FAULT],
  ['of a payer with too many failures', { isThrottled: true }, {}, refusal(THROTTLED, 'too_many_failures')],
  ['that the facilitator refuses', { verification: WHY }, {}, REFUSED],
  ['that it refuses because it paid us', { verification: WHY, use: 'perhaps_us' }, {}, IN_USE],
  ['that was settled while it was verified', { verification: WHY, found: [undefined, SETTLED] }, {}, replayed('paid')],
  [
    'whose claim was settled while it was verified',
    { verification: WHY, found: [EXECUTING, SETTLED] },
    {},
    replayed('paid'),
  ],
  [
    'whose claim was taken over while it was verified',
    { verification: WHY, found: [EXECUTING, claimOf({ ...LEASED, claimId: 'c2' })] },
    {},
    BUSY,
  ],
  ['whose claim stayed while it was verified', { verification: WHY, found: [EXECUTING] }, {}, REFUSED],
  ['that cannot be verified', { verification: 'fails' }, {}, FAULT],
  ['whose balance cannot be read', { chainFails: true }, {}, FAULT],
  ['for which there is too little money', { opened: [SHORT] }, {}, shortOf(1000)],
  [
    'for which there is too little money, of a payer with many others',
    { opened: ['throttled', SHORT] },
    {},
    shortOf(1000),
  ],
  ['of a payer with too many others', { opened: ['throttled'] }, {}, TOO_MUCH],
  [
    'of a payer with too many others without a chain',
    { opened: ['throttled', 'opened'], hasChain: false },
    {},
    TOO_MUCH,
  ],
  ['for which the money cannot be counted', { opened: [SHORT], holdingsFail: true }, {}, FAULT],
  ['whose claim another caller opened', { opened: ['changed'], found: [undefined, SETTLED] }, {}, replayed('paid')],
  ['whose caller finds no place to wait', { found: [LEASED], isFull: true }, {}, BUSY],
  [
    'whose identifier is of another request',
    { calls: [call('charged', { fingerprint: 'f2' })] },
    NAMED,
    refusal(REUSED, 'identifier_reused'),
  ],
  ['whose identifier is in use', { calls: [call('open')] }, NAMED, refusal(IN_PROGRESS, 'identifier_in_progress')],
  [
    'whose identifier is of an answer that is kept',
    { calls: [call('pending')], byId: claimOf({ state: 'retained' }) },
    NAMED,
    NAME_PENDING,
  ],
  [
    'whose identifier is of an attempt',
    { calls: [call('pending')], byId: claimOf({ isLeased: true }) },
    NAMED,
    NAME_PENDING,
  ],
  ['whose identifier is of a settlement', { calls: [call('pending')], byId: claimOf() }, NAMED, NAME_PENDING],
  ['whose identifier has no claim any more', { calls: [call('pending')] }, NAMED, NAME_PENDING],
  ['whose identifier is paid', { calls: [call('pending')], byId: SETTLED }, NAMED, replayed('paid')],
  [
    'whose identifier is paid, and itself too',
    { calls: [call('pending')], byId: SETTLED, use: 'perhaps_us' },
    NAMED,
    IN_USE,
  ],
  [
    'whose identifier was charged to a channel',
    { calls: [call('charged')] },
    NAMED,
    replayed(JSON.stringify({ success: true, transaction: '', network: NETWORK, payer: PAYER })),
  ],
  ['that only the token can judge, of a claim', { read: UNPROVEN, found: [SETTLED] }, {}, replayed('paid')],
  ['that the token refuses', { read: UNPROVEN, verification: WHY }, {}, REFUSED],
  ...(['open', 'pending', 'charged'] as const).map(
    (state) =>
      [
        `that the token refuses, whose identifier is ${state}`,
        { read: UNPROVEN, verification: WHY, calls: [call(state)], byId: SETTLED },
        NAMED,
        REFUSED,
      ] as const,
  ),
  [
    'that the token refuses, whose identifier is of another request',
    { read: UNPROVEN, verification: WHY, calls: [call('charged', { fingerprint: 'f2' })] },
    NAMED,
    REFUSED,
  ],
  [
    'that nobody can judge, whose identifier is paid',
    { read: UNPROVEN, verification: 'fails', calls: [call('charged')], byId: SETTLED },
    NAMED,
    FAULT,
  ],
  [
    'that the token takes, whose identifier is paid',
    { read: UNPROVEN, calls: [call('charged')], byId: SETTLED },
    NAMED,
    replayed('paid'),
  ],
  [
    'whose identifier was charged to a channel, and paid us',
    { calls: [call('charged')], use: 'perhaps_us' },
    NAMED,
    IN_USE,
  ],
];
for (const [name, setting, changes, expected] of answers) {
  test(`a payment ${name} is answered so`, async (t) => {
    const { begin, openings } = open(setting);
    t.deepEqual(await begin(changes), expected as never);
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
