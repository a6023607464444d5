import type { Selectable } from 'kysely';
import type { Hex } from 'viem';
import type { Tables } from '../../../../services/store/tables.ts';
import type { Books, PaymentRecord } from '../run/books.ts';
import { CHANNELS, type ChainBooks, keyOf } from './chain.ts';
import type { RetainedRow, Stores } from './stores.ts';

export interface PaymentSources {
  readonly books: Books;
  readonly stores: Stores;
  readonly chain: ChainBooks;
  readonly retained: readonly RetainedRow[];
}

/** Compares the answers to payments with the chain, the claims and the retained answers. */
export async function reconcilePayments({ books, stores, chain, retained }: PaymentSources): Promise<void> {
  const claims = new Map((await stores.claims()).map((claim) => [keyOf(claim.payer, claim.nonce), claim] as const));
  const known = new Set(books.payments.map(({ payer, nonce }) => keyOf(payer, nonce)));
  const depositors = new Set(books.channels.map(({ payer }) => payer.toLowerCase()));
  for (const payment of books.payments) {
    const key = keyOf(payment.payer, payment.nonce);
    const claim = claims.get(key);
    const answer = claim && (await stores.retainedAnswer(claim.claim_id));
    for await (const fault of faultsOf({ books, payment, claim, answer, chain })) {
      books.contradict(fault, { payment, claim, settledIn: chain.uses.get(key) });
    }
  }
  for (const key of chain.uses.keys()) {
    const isDeposit = depositors.has(key.slice(0, key.indexOf(' ')));
    if (!known.has(key) && !isDeposit) books.contradict('an authorization was used that no client signed', { key });
  }
  const claimIds = new Set(Array.from(claims.values(), ({ claim_id }) => claim_id));
  for (const { recordId, access } of retained) {
    if (access === 'payment' && !claimIds.has(recordId)) {
      books.contradict('a paid result is retained without its claim: it was executed twice', { recordId });
    }
  }
  await reconcileAccounts(books, chain);
}

interface Case {
  readonly books: Books;
  readonly payment: PaymentRecord;
  readonly claim: Selectable<Tables['ledger.payment_claim']> | undefined;
  /** The retained answer. */
  readonly answer: string | undefined;
  readonly chain: ChainBooks;
}

async function* faultsOf({ books, payment, claim, answer, chain }: Case): AsyncGenerator<string> {
  const settledIn = chain.uses.get(keyOf(payment.payer, payment.nonce)) ?? [];
  const [transaction] = settledIn;
  if (settledIn.length > 1) yield 'a payment was settled twice';
  if (transaction === undefined) {
    if (claim?.state === 'settled') yield 'a claim is settled, but the chain has no settlement';
  } else {
    if (!isTransferred(payment, transaction, chain)) yield 'the settlement made a different transfer';
    if (claim === undefined) yield 'a payment was settled without a claim';
    else if (claim.state !== 'settled') yield 'a claim is not settled, but the chain has its settlement';
    if (answer === undefined) yield 'a payment was settled, but its result is not retained';
  }
  for (const reply of payment.replies) {
    if (reply.kind === 'failed' && transaction !== undefined)
      yield 'the client was told that the payment failed, but it is settled';
    if (reply.kind !== 'settled') continue;
    if (transaction === undefined) yield 'a result was delivered, but the payment is not settled';
    else if (reply.transaction !== transaction) {
      if (await chain.hasTransaction(reply.transaction)) yield 'the payment response names another transaction';
      // The chain of the sandbox is saved once a second. What a kill lost of it was settled again.
      else books.count('settlement', 'lost with the chain, and made again');
    }
    if (reply.text !== answer) yield 'the delivered result differs from the retained result';
  }
}

const isTransferred = ({ payer, payTo, amount }: PaymentRecord, transaction: Hex, { transfers }: ChainBooks): boolean =>
  transfers.some(
    (transfer) =>
      transfer.transaction === transaction &&
      transfer.from === payer.toLowerCase() &&
      transfer.to === payTo.toLowerCase() &&
      transfer.value === amount,
  );

/** Checks that each payee holds the settled amounts, and each payer the received amounts minus the settled amounts. */
async function reconcileAccounts(books: Books, chain: ChainBooks): Promise<void> {
  const settled = books.payments.filter(({ payer, nonce }) => chain.uses.has(keyOf(payer, nonce)));
  const payees = new Set(books.payments.map(({ payTo }) => payTo));
  for (const payTo of payees) {
    const paid = settled.filter((payment) => payment.payTo === payTo).reduce((sum, { amount }) => sum + amount, 0n);
    const ofChannels = chain.transfers.filter(({ from, to }) => from === CHANNELS && to === payTo.toLowerCase());
    const due = paid + sumOf(ofChannels);
    const balance = await chain.balanceOf(payTo);
    if (balance !== due)
      books.contradict('the balance of a payee is not the sum of what was paid', { payTo, balance, due });
  }
  for (const payer of new Set(books.payments.map((payment) => payment.payer))) {
    const funded = sumOf(chain.transfers.filter(({ to }) => to === payer.toLowerCase()));
    const paid = settled.filter((payment) => payment.payer === payer).reduce((sum, { amount }) => sum + amount, 0n);
    const balance = await chain.balanceOf(payer);
    if (balance !== funded - paid)
      books.contradict('the balance of a payer is wrong', { payer, balance, funded, paid });
  }
}

export const sumOf = (transfers: readonly { readonly value: bigint }[]): bigint =>
  transfers.reduce((sum, { value }) => sum + value, 0n);
