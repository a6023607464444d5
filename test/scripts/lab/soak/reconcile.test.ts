import test from 'ava';
import type { Selectable } from 'kysely';
import type { Hex } from 'viem';
import { createRandom } from '../../../../scripts/lab/random.ts';
import type { ChainBooks } from '../../../../scripts/lab/soak/reconcile/chain.ts';
import { reconcilePayments } from '../../../../scripts/lab/soak/reconcile/payments.ts';
import type { Reservation, Stores } from '../../../../scripts/lab/soak/reconcile/stores.ts';
import { reconcileTrials } from '../../../../scripts/lab/soak/reconcile/trials.ts';
import { type Answer, type Books, createBooks, type PaidReply } from '../../../../scripts/lab/soak/run/books.ts';
import type { Tables } from '../../../../services/store/tables.ts';

const WALLET: Hex = '0x00000000000000000000000000000000000000a1';
const PAYEE: Hex = '0x00000000000000000000000000000000000000b2';
const NONCE: Hex = '0x01';
const TRANSACTION: Hex = '0x02';
/** It is on the chain, and paid for something else. */
const ELSEWHERE: Hex = '0x06';
const PRICE = 3000n;

interface Found {
  readonly reservations?: readonly Reservation[];
  readonly balance?: bigint;
  readonly isRetained?: boolean;
  readonly claim?: Selectable<Tables['ledger.payment_claim']>;
}

/** Stores with the data of one call. The retained answer is "result", if there is one. */
function storesOf({ reservations = [], balance = 47_000n, isRetained = true, claim }: Found): Stores {
  return {
    audit: async () => ({ wallets: 1, channels: 0, pending: 0, violations: [] }),
    balance: async () => balance,
    reservations: async () => reservations,
    obligations: async () => [],
    hasten: async () => {},
    unclaimed: async () => 0,
    channel: async () => ({ charged: 0n, calls: 0 }),
    claims: async () => (claim === undefined ? [] : [claim]),
    retained: async () => [],
    retainedAnswer: async () => (isRetained ? 'result' : undefined),
    close: async () => {},
  };
}

/** The first line of each contradiction. */
const titlesOf = ({ contradictions }: Books) => contradictions.map((text) => text.slice(0, text.indexOf('\n')));

const NOBODY = { wallet: undefined, amount: undefined };
const madeOf = (fate: Reservation['fate']): readonly Reservation[] => [
  { id: 'id', nonce: 'nonce', fate, ...(fate === 'voided' ? NOBODY : { wallet: WALLET, amount: PRICE }) },
];
const [RESERVED, POSTED, VOIDED] = [madeOf('pending'), madeOf('posted'), madeOf('voided')];

const answerOf = (status: number, trialStatus: string, accounting: string, text: string): Answer => ({
  status,
  headers: new Headers({ 'x-trial-status': trialStatus, 'x-trial-accounting-status': accounting }),
  text,
});
const CONFIRMED = answerOf(200, 'charged', 'confirmed', 'result');

async function trialFaults(
  answers: readonly Answer[],
  found: Parameters<typeof storesOf>[0],
): Promise<readonly string[]> {
  const books = createBooks();
  books.trials.push({ operation: 'html-to-markdown', priceMicroUsd: PRICE, wallet: WALLET, nonce: 'nonce', answers });
  const retained = found.isRetained === false ? [] : [{ recordId: 'id', access: 'trial' }];
  await reconcileTrials(books, storesOf(found), retained);
  return titlesOf(books);
}

test('a trial that agrees with the ledger and the retained answer is not a contradiction', async (t) => {
  t.deepEqual(await trialFaults([CONFIRMED], { reservations: POSTED }), []);
  const released = answerOf(503, 'released', '', '{"error":{"code":"SERVICE_UNAVAILABLE"}}');
  t.deepEqual(await trialFaults([released], { reservations: VOIDED, balance: 50_000n, isRetained: false }), []);
});

const CONFIRMED_BUT = (fate: string) => `the ledger says "${fate}", the client was told "200 charged confirmed"`;
const DISAGREEING: readonly (readonly [Found, readonly string[], (readonly Answer[])?])[] = [
  [{ reservations: VOIDED, balance: 50_000n }, [CONFIRMED_BUT('voided')]],
  [{ reservations: [], balance: 50_000n }, [CONFIRMED_BUT('none'), 'a result was delivered, but it is not retained']],
  [{ reservations: POSTED, balance: 44_000n }, ['a balance is not the grant minus the charges']],
  [
    { reservations: POSTED },
    ['the retained answer differs from the delivered result'],
    [answerOf(200, 'charged', 'confirmed', 'other')],
  ],
  [{ reservations: POSTED }, ['two results were delivered for one proof'], [CONFIRMED, CONFIRMED]],
];

test('an answer to a trial that disagrees with the ledger is a contradiction', async (t) => {
  for (const [found, expected, answers = [CONFIRMED]] of DISAGREEING) {
    t.deepEqual(await trialFaults(answers, found), expected);
  }
  for (const [found, expected] of [
    [{ reservations: RESERVED }, 'a reservation was never resolved'],
    [{ reservations: POSTED, isRetained: false }, 'a trial was charged, but its result is not retained'],
  ] as const) {
    t.true((await trialFaults([CONFIRMED], found)).includes(expected));
  }
});

const CLAIM: Selectable<Tables['ledger.payment_claim']> = {
  attempt: null,
  epoch: 0,
  operation: null,
  claim_id: 'claim',
  network: 'eip155:31337',
  asset: '0x03',
  payer: WALLET,
  pay_to: '0x04',
  nonce: NONCE,
  amount: PRICE,
  valid_before_s: 1n,
  digest: '',
  fingerprint: '',
  offer_secret_hash: '',
  payment_identifier_hash: null,
  from_block: 0n,
  transaction: TRANSACTION,
  state: 'settled',
  lease_until: new Date(0),
  due_at: null,
  tries: 0,
  is_final: true,
  payment_response: '{}',
  created_at: new Date(0),
  settled_at: new Date(0),
  block_number: null,
  block_hash: null,
  missing_at: null,
  finalized_at: null,
  lost_at: null,
  lost_reason: null,
  released_at: null,
};
const SETTLED: PaidReply = { kind: 'settled', text: 'result', transaction: TRANSACTION };

/** A chain with these settlements of the payment. Each transaction transfers the amount. */
function chainOf(transactions: readonly Hex[], value = PRICE): ChainBooks {
  const paid = value * BigInt(transactions.length);
  const mint = { transaction: TRANSACTION, from: PAYEE, to: WALLET, value: 10_000n };
  return {
    uses: transactions.length === 0 ? new Map() : new Map([[`${WALLET} ${NONCE}`, transactions]]),
    transfers: [mint, ...transactions.map((transaction) => ({ transaction, from: WALLET, to: PAYEE, value }))],
    balanceOf: async (account) => (account === PAYEE ? paid : 10_000n - paid),
    channelOf: async () => ({ balance: 0n, claimed: 0n }),
    hasTransaction: async (hash) => transactions.includes(hash) || hash === ELSEWHERE,
  };
}

async function paymentFaults(
  replies: PaidReply[],
  chain: ChainBooks,
  claim: Selectable<Tables['ledger.payment_claim']> | undefined = CLAIM,
) {
  const books = createBooks();
  books.payments.push({
    operation: 'html-to-markdown',
    amount: PRICE,
    payer: WALLET,
    payTo: PAYEE,
    nonce: NONCE,
    replies,
  });
  const stores = storesOf({ ...(claim && { claim }) });
  await reconcilePayments({ books, stores, chain, retained: [{ recordId: 'claim', access: 'payment' }] });
  return titlesOf(books);
}

test('a settled payment with its claim, its result and its transfer is not a contradiction', async (t) => {
  t.deepEqual(await paymentFaults([{ kind: 'broken' }, SETTLED, SETTLED], chainOf([TRANSACTION])), []);
});

test('a settlement that was made again after the chain lost it is not a contradiction, and any other transaction is', async (t) => {
  const named = (transaction: Hex): PaidReply => ({ kind: 'settled', text: 'result', transaction });
  t.deepEqual(await paymentFaults([named('0x07')], chainOf([TRANSACTION])), []);
  t.deepEqual(await paymentFaults([named(ELSEWHERE)], chainOf([TRANSACTION])), [
    'the payment response names another transaction',
  ]);
});

test('an answer to a payment that disagrees with the chain or the claim is a contradiction', async (t) => {
  const settled = chainOf([TRANSACTION]);
  const open = { ...CLAIM, state: 'settling' as const, is_final: null };
  const other: PaidReply = { ...SETTLED, text: 'other' };
  const alone: readonly (readonly [PaidReply[], ChainBooks, Selectable<Tables['ledger.payment_claim']>, string])[] = [
    [[SETTLED], settled, open, 'a claim is not settled, but the chain has its settlement'],
    [[{ kind: 'failed' }], settled, CLAIM, 'the client was told that the payment failed, but it is settled'],
    [[SETTLED, other], settled, CLAIM, 'the delivered result differs from the retained result'],
  ];
  for (const [replies, chain, claim, found] of alone) t.deepEqual(await paymentFaults(replies, chain, claim), [found]);
  const amongOthers: typeof alone = [
    [[SETTLED], chainOf([]), open, 'a result was delivered, but the payment is not settled'],
    [[], chainOf([]), CLAIM, 'a claim is settled, but the chain has no settlement'],
    [[SETTLED], chainOf([TRANSACTION, '0x05']), CLAIM, 'a payment was settled twice'],
    [[SETTLED], chainOf([TRANSACTION], 1n), CLAIM, 'the settlement made a different transfer'],
  ];
  for (const [replies, chain, claim, found] of amongOthers) {
    t.true((await paymentFaults(replies, chain, claim)).includes(found), found);
  }
});

test('a seed always gives the same victims', (t) => {
  const draw = (seed: number) => {
    const random = createRandom(seed);
    return Array.from({ length: 20 }, () => random.pick(['redis', 'postgres', 'anvil', 'maps']));
  };
  t.deepEqual(draw(7), draw(7));
  t.notDeepEqual(draw(7), draw(8));
});
