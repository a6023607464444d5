import { GRANT_MICRO_USD } from '../../../../services/ledger/contract/trial-terms.ts';
import { codeOf } from '../load/call.ts';
import type { Answer, Books, TrialRecord } from '../run/books.ts';
import type { RetainedRow, Stores } from './stores.ts';

type Fate = 'pending' | 'posted' | 'voided';

interface Reservation {
  readonly id: string;
  readonly wallet: string;
  readonly amount: bigint;
  fate: Fate;
}

/** Reservations by nonce, as the journal tells them. */
function readReservations(journal: readonly string[]): ReadonlyMap<string, Reservation> {
  const byNonce = new Map<string, Reservation>();
  const byId = new Map<string, Reservation>();
  for (const entry of journal) {
    const [type = '', id = '', wallet = '', nonce = '', amount = '0'] = entry.split('|');
    if (type === 'reserve') {
      const reservation: Reservation = { id, wallet, amount: BigInt(amount), fate: 'pending' };
      byNonce.set(nonce, reservation);
      byId.set(id, reservation);
    } else if (type === 'post' || type === 'void') {
      const reservation = byId.get(id);
      if (reservation !== undefined) reservation.fate = type === 'post' ? 'posted' : 'voided';
    }
  }
  return byNonce;
}

const UNAVAILABLE = /^503 TRIAL_UNAVAILABLE unavailable$/;

/** What an answer says, and what the journal must say then; `none`: no reservation. */
const STATEMENTS: readonly { readonly is: RegExp; readonly fates: readonly (Fate | 'none')[] }[] = [
  { is: /^200 charged confirmed$/, fates: ['posted'] },
  { is: /^200 accounting_uncertain uncertain$/, fates: ['posted'] },
  { is: /^\d+ [A-Z_]+ charged confirmed$/, fates: ['posted'] },
  { is: /^\d+ [A-Z_]+ released$/, fates: ['voided'] },
  { is: /^\d+ [A-Z_]+ accounting_uncertain uncertain$/, fates: ['posted', 'voided'] },
  { is: UNAVAILABLE, fates: ['none', 'voided'] },
  { is: /^402 (insufficient_balance|daily_budget_exhausted|unavailable)$/, fates: ['none'] },
  // Of a copy, whose original decides.
  { is: /^401 REPLAYED_PROOF rejected$/, fates: ['none', 'posted', 'voided'] },
  // Refused before the proof was looked at.
  { is: /^(429 RATE_LIMITED|503 (OVERLOADED|SERVICE_UNAVAILABLE))$/, fates: ['none', 'posted', 'voided'] },
];

const wordsOf = (answer: Answer): string =>
  [
    answer.status,
    answer.status >= 400 && answer.status !== 402 ? codeOf(answer) : '',
    answer.headers.get('x-trial-status'),
    answer.headers.get('x-trial-accounting-status'),
  ]
    .filter(Boolean)
    .join(' ');

/** Holds what clients were told of trials against the ledger and the retained answers. */
export async function reconcileTrials(books: Books, stores: Stores, retained: readonly RetainedRow[]): Promise<void> {
  const reservations = readReservations(await stores.journal());
  const kept = new Set(retained.filter(({ access }) => access === 'trial').map(({ recordId }) => recordId));
  for (const trial of books.trials) {
    await reconcileTrial(books, stores, { trial, reservation: reservations.get(trial.nonce), kept });
  }
  for (const [nonce, reservation] of reservations) {
    if (reservation.fate === 'posted' && !kept.has(reservation.id)) {
      books.contradict('a trial was charged, and its result is not retained', { nonce, reservation });
    }
  }
  await reconcileBalances(books, stores, [...reservations.values()]);
}

interface Case {
  readonly trial: TrialRecord;
  readonly reservation: Reservation | undefined;
  readonly kept: ReadonlySet<string>;
}

async function reconcileTrial(books: Books, stores: Stores, { trial, reservation, kept }: Case): Promise<void> {
  const contradict = (what: string) => books.contradict(what, { trial, reservation });
  const answers = trial.answers.filter((answer) => answer !== undefined);
  const results = answers.filter(({ status }) => status === 200);
  if (results.length > 1) contradict('one proof was answered with two results');
  if (reservation?.fate === 'pending') contradict('a reservation was never resolved');
  if (reservation !== undefined && reservation.amount !== trial.priceMicroUsd) contradict('a trial has another price');
  for (const answer of answers) {
    const words = wordsOf(answer);
    const statement = STATEMENTS.find(({ is }) => is.test(words));
    const fate = reservation?.fate ?? 'none';
    if (statement === undefined) contradict(`a trial was answered with "${words}"`);
    // A proof that was sent twice: it says nothing of the other copy, which may have been admitted.
    else if (trial.answers.length > 1 && UNAVAILABLE.test(words)) continue;
    else if (!statement.fates.includes(fate)) contradict(`the ledger says "${fate}", the client was told "${words}"`);
    if (answer.headers.has('payment-response')) contradict('a trial has a payment response');
  }
  for (const { text } of results) {
    if (reservation === undefined || !kept.has(reservation.id))
      contradict('a result was delivered and is not retained');
    else if ((await stores.retainedAnswer(reservation.id)) !== text) contradict('another answer is retained');
  }
}

async function reconcileBalances(books: Books, stores: Stores, reservations: readonly Reservation[]): Promise<void> {
  const spent = new Map<string, bigint>();
  for (const { wallet, amount, fate } of reservations) {
    spent.set(wallet, (spent.get(wallet) ?? 0n) + (fate === 'posted' ? amount : 0n));
  }
  for (const [wallet, amount] of spent) {
    const balance = await stores.balance(wallet);
    if (balance !== GRANT_MICRO_USD - amount)
      books.contradict('a balance is not the grant less what was charged', { wallet, balance, amount });
  }
  const { violations, pending } = await stores.audit();
  for (const violation of violations) books.contradict('the ledger violates an invariant', violation);
  if (pending > 0) books.contradict('reservations are pending', { pending });
}
