import type { TrialAnswer, TrialFacts } from './trial-facts.ts';

interface Reservation {
  readonly id: string;
  readonly wallet: string;
  readonly nonce: string;
  readonly amount: bigint;
  readonly day: string;
  readonly budget: bigint;
  state: 'open' | 'posted' | 'voided';
}

interface Books {
  readonly reservations: Map<string, Reservation>;
  readonly byNonce: Map<string, Reservation>;
  /** What each wallet has left. A wallet has an account from its first reservation on. */
  readonly balances: Map<string, bigint>;
  /** Every balance that a wallet ever had. */
  readonly seen: Map<string, Set<bigint>>;
  readonly used: Map<string, bigint>;
}

type Fault = (problem: string) => void;

/** Decides whether the facts of a run keep every promise. @returns what is wrong */
export function judgeTrials(facts: TrialFacts): readonly string[] {
  const faults: string[] = [];
  const fault: Fault = (problem) => faults.push(problem);
  const books = readJournal(facts, fault);
  judgeResolutions(facts, books, fault);
  judgeWallets(facts, books, fault);
  for (const answer of facts.answers) judgeAnswer(answer, { facts, books, fault });
  judgeExecutions(facts, books, fault);
  return faults;
}

/** Replays the journal, and checks every rule that must hold after each entry. */
function readJournal({ journal, grant, dailyBudget }: TrialFacts, fault: Fault): Books {
  const books: Books = {
    reservations: new Map(),
    byNonce: new Map(),
    balances: new Map(),
    seen: new Map(),
    used: new Map(),
  };
  const move = (wallet: string, amount: bigint) => {
    const balance = (books.balances.get(wallet) ?? 0n) + amount;
    if (balance < 0n) fault(`wallet ${wallet} spent more than its grant`);
    if (balance > grant) fault(`wallet ${wallet} has more than its grant`);
    books.balances.set(wallet, balance);
    const seen = books.seen.get(wallet) ?? new Set();
    books.seen.set(wallet, seen.add(balance));
  };
  for (const entry of journal) {
    const [kind, id = '', ...rest] = entry.split('|');
    if (kind === 'reserve') {
      const [wallet = '', nonce = '', amountText = '', , day = '', budgetText = '', granted = ''] = rest;
      const amount = BigInt(amountText);
      const reservation: Reservation = { id, wallet, nonce, amount, day, budget: BigInt(budgetText), state: 'open' };
      if (books.reservations.has(id)) fault(`${id} was reserved twice`);
      if (books.byNonce.has(nonce)) fault(`the nonce ${nonce} was admitted twice`);
      if (granted !== '0' && books.balances.has(wallet)) fault(`wallet ${wallet} got a second grant`);
      if (granted !== '0') move(wallet, BigInt(granted));
      move(wallet, -amount);
      const used = (books.used.get(day) ?? 0n) + amount;
      if (used > dailyBudget) fault(`the budget of day ${day} was exceeded`);
      books.used.set(day, used);
      books.reservations.set(id, reservation);
      books.byNonce.set(nonce, reservation);
    } else if (kind === 'post' || kind === 'void') {
      const reservation = books.reservations.get(id);
      if (reservation === undefined) fault(`${id} was resolved, and never reserved`);
      else if (reservation.state !== 'open') fault(`${id} was ${reservation.state}, and then got a ${kind}`);
      else {
        reservation.state = kind === 'post' ? 'posted' : 'voided';
        if (kind === 'void') {
          move(reservation.wallet, reservation.amount);
          books.used.set(reservation.day, (books.used.get(reservation.day) ?? 0n) - reservation.amount);
        }
      }
    } else if (kind !== 'tombstone') fault(`an unknown entry: ${entry}`);
  }
  return books;
}

function judgeResolutions({ pending, retained }: TrialFacts, { reservations }: Books, fault: Fault): void {
  for (const id of pending) fault(`${id} is open for ever`);
  for (const { id, state, nonce } of reservations.values()) {
    if (state === 'open') fault(`${id} was neither posted nor voided`);
    if (state === 'posted' && !retained.has(id)) fault(`${id} was charged without a retained result`);
    const kept = retained.get(id);
    if (kept !== undefined && kept !== nonce) fault(`${id} is retained for another nonce`);
  }
  for (const id of retained.keys()) if (!reservations.has(id)) fault(`${id} is retained, and was never reserved`);
}

function judgeWallets({ wallets }: TrialFacts, { balances, reservations }: Books, fault: Fault): void {
  for (const [wallet, expected] of balances) {
    const stored = wallets.get(wallet);
    const own = [...reservations.values()].filter((reservation) => reservation.wallet === wallet);
    const spent = own.reduce((sum, { state, amount }) => (state === 'posted' ? sum + amount : sum), 0n);
    const isRight = stored?.balance === expected && stored.spent === spent && stored.reserved === 0n;
    if (!isRight) fault(`the account of ${wallet} differs from the journal`);
  }
}

interface Judging {
  readonly facts: TrialFacts;
  readonly books: Books;
  readonly fault: Fault;
}

/** What a client was told must be true. */
function judgeAnswer({ wallet, nonce, tag, sentTag, answer }: TrialAnswer, { facts, books, fault }: Judging): void {
  if (answer === undefined) return;
  const { outcome, headers, body } = answer;
  const reservation = books.byNonce.get(nonce);
  const told = headers['x-trial-status'];
  const name = `the request ${tag} (${reservation?.id ?? 'no reservation'})`;
  if (reservation !== undefined && reservation.wallet !== wallet) fault(`${name} was charged to another wallet`);
  if (sentTag !== tag && (outcome === 200 || told === 'charged')) fault(`${name} was accepted with another body`);
  if (told === 'charged' && reservation?.state !== 'posted') fault(`${name} was told "charged", and was not`);
  if (told === 'released' && reservation?.state === 'posted') fault(`${name} was told "released", and was charged`);
  if (headers['x-trial-accounting-status'] === 'confirmed' && told !== 'charged')
    fault(`${name} is confirmed, but not charged`);
  if (outcome === 200) {
    if (reservation === undefined || !facts.retained.has(reservation.id))
      fault(`${name} got a result that is not retained`);
    if (!body.includes(`"tag":"${tag}"`)) fault(`${name} got the result of another request`);
    if (told === 'released') fault(`${name} got a result, and was told "released"`);
  }
  const balance = headers['x-trial-balance-atomic'];
  const known = books.seen.get(wallet) ?? new Set([facts.grant]);
  if (balance !== undefined && !known.has(BigInt(balance))) fault(`${name} was told a balance of ${balance}`);
}

function judgeExecutions({ executions, answers }: TrialFacts, { byNonce }: Books, fault: Fault): void {
  const admitted = new Set(answers.filter(({ nonce }) => byNonce.has(nonce)).map(({ tag }) => tag));
  const seen = new Set<string>();
  for (const tag of executions) {
    if (seen.has(tag)) fault(`${tag} was executed twice`);
    seen.add(tag);
    if (!admitted.has(tag)) fault(`${tag} was executed without a reservation`);
  }
}
