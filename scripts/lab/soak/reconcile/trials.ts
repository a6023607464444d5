import { GRANT_MICRO_USD } from '../../../../services/ledger/contract/trial-terms.ts';
import { codeOf } from '../load/call.ts';
import type { Answer, Books, TrialRecord } from '../run/books.ts';
import type { Reservation, RetainedRow, Stores } from './stores.ts';

type Fate = Reservation['fate'];

const UNAVAILABLE = /^503 TRIAL_UNAVAILABLE unavailable$/;
const UNCERTAIN = /^200 accounting_uncertain uncertain$/;

/** For each allowed answer, the fates that the ledger may show. `none`: no reservation. */
const STATEMENTS: readonly { readonly is: RegExp; readonly fates: readonly (Fate | 'none')[] }[] = [
  { is: /^200 charged confirmed$/, fates: ['posted'] },
  // The database may have crashed before the charge was durable. A wallet never loses credit without a result.
  { is: UNCERTAIN, fates: ['posted', 'voided', 'none'] },
  { is: /^\d+ [A-Z_]+ charged confirmed$/, fates: ['posted'] },
  { is: /^\d+ [A-Z_]+ released$/, fates: ['voided'] },
  // A database that is killed may lose a reservation. It does not lose what was charged.
  { is: /^\d+ [A-Z_]+ accounting_uncertain uncertain$/, fates: ['posted', 'voided', 'none'] },
  { is: UNAVAILABLE, fates: ['none', 'voided'] },
  { is: /^402 (insufficient_balance|daily_budget_exhausted|unavailable)$/, fates: ['none'] },
  // The answer to a copy. The original determines the fate.
  { is: /^401 REPLAYED_PROOF rejected$/, fates: ['none', 'posted', 'voided'] },
  // The gateway refused the request before it read the proof.
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

/** Compares the answers to trials with the ledger and the retained answers. */
export async function reconcileTrials(books: Books, stores: Stores, retained: readonly RetainedRow[]): Promise<void> {
  const reservations = new Map((await stores.reservations()).map((each) => [each.nonce, each] as const));
  const kept = new Set(retained.filter(({ access }) => access === 'trial').map(({ recordId }) => recordId));
  for (const trial of books.trials) {
    await reconcileTrial(books, stores, { trial, reservation: reservations.get(trial.nonce), kept });
  }
  for (const [nonce, reservation] of reservations) {
    if (reservation.fate === 'posted' && !kept.has(reservation.id)) {
      books.contradict('a trial was charged, but its result is not retained', { nonce, reservation });
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
  if (results.length > 1) contradict('two results were delivered for one proof');
  if (reservation?.fate === 'pending') contradict('a reservation was never resolved');
  if (reservation?.amount !== undefined && reservation.amount !== trial.priceMicroUsd)
    contradict('the reserved amount is not the price of the trial');
  for (const answer of answers) {
    const words = wordsOf(answer);
    const statement = STATEMENTS.find(({ is }) => is.test(words));
    const fate = reservation?.fate ?? 'none';
    if (statement === undefined) contradict(`the answer "${words}" to a trial is not allowed`);
    // The proof was sent twice. This answer does not describe the other copy, which may have been admitted.
    else if (trial.answers.length > 1 && UNAVAILABLE.test(words)) continue;
    else if (!statement.fates.includes(fate)) contradict(`the ledger says "${fate}", the client was told "${words}"`);
    if (answer.headers.has('payment-response')) contradict('a trial has a payment response');
  }
  // An uncertain result that was not charged is not retained.
  const surely = results.filter((answer) => reservation?.fate === 'posted' || !UNCERTAIN.test(wordsOf(answer)));
  for (const { text } of surely) {
    if (reservation === undefined || !kept.has(reservation.id))
      contradict('a result was delivered, but it is not retained');
    else if ((await stores.retainedAnswer(reservation.id)) !== text)
      contradict('the retained answer differs from the delivered result');
  }
}

async function reconcileBalances(books: Books, stores: Stores, reservations: readonly Reservation[]): Promise<void> {
  const spent = new Map<string, bigint>();
  for (const { wallet } of books.trials) spent.set(wallet.toLowerCase(), 0n);
  for (const { wallet, amount } of reservations) {
    if (wallet !== undefined && amount !== undefined) spent.set(wallet, (spent.get(wallet) ?? 0n) + amount);
  }
  for (const [wallet, amount] of spent) {
    const balance = await stores.balance(wallet);
    if (balance !== GRANT_MICRO_USD - amount)
      books.contradict('a balance is not the grant minus the charges', { wallet, balance, amount });
  }
  const { violations, pending } = await stores.audit();
  for (const violation of violations) books.contradict('the ledger violates an invariant', violation);
  if (pending > 0) books.contradict('reservations are pending', { pending });
}
