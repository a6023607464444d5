import type { LedgerFacts, Told } from './ledger-facts.ts';

type Fault = (problem: string) => void;

/** Outcomes that the nonce remembers. */
const DECIDED = ['reserved', 'insufficient_balance', 'throttled', 'daily_budget_exhausted', 'grants_exhausted'];

/** Decides whether the facts of a run keep every promise. @returns what is wrong */
export function judgeLedger(facts: LedgerFacts): readonly string[] {
  const faults: string[] = [];
  const fault: Fault = (problem) => faults.push(problem);
  for (const id of facts.open) fault(`${id} is open for ever`);
  for (const violation of facts.violations) fault(`the audit found ${violation}`);
  judgeEntries(facts, fault);
  judgeSums(facts, fault);
  for (const told of facts.told) judgeFinal(told, facts, fault);
  judgeOneLife(facts, fault);
  judgeNonces(facts, fault);
  return faults;
}

/** Only what a caller wanted to post is charged, with the answer that it gave. */
function judgeEntries({ asks, entries, bodies, postsSent }: LedgerFacts, fault: Fault): void {
  const byId = new Map(asks.map((ask) => [ask.id, ask]));
  for (const [id, { account, amount }] of entries) {
    const ask = byId.get(id);
    if (ask?.wallet !== account || ask.amount !== amount) fault(`${id} was charged as another call`);
    if (!postsSent.has(id)) fault(`${id} was charged, and nobody posted it`);
    if (bodies.get(id) !== `request of ${id} response of ${id}`) fault(`${id} was charged without its answer`);
  }
  for (const id of bodies.keys()) if (!entries.has(id)) fault(`${id} has a stored answer, and was not charged`);
}

function judgeSums({ entries, balances, grant, dailyBudget }: LedgerFacts, fault: Fault): void {
  const add = (sums: Map<string, bigint>, key: string, amount: bigint) => sums.set(key, (sums.get(key) ?? 0n) + amount);
  const [spent, used] = [new Map<string, bigint>(), new Map<string, bigint>()];
  for (const { account, amount, day } of entries.values()) {
    add(spent, account, amount);
    add(used, day, amount);
  }
  for (const [wallet, sum] of spent) {
    if (sum > grant) fault(`wallet ${wallet} spent more than its grant`);
    if (!balances.has(wallet)) fault(`wallet ${wallet} spent, and has no account`);
  }
  for (const [wallet, balance] of balances)
    if (balance !== grant - (spent.get(wallet) ?? 0n)) fault(`wallet ${wallet} has ${balance} left`);
  for (const [day, sum] of used) if (sum > dailyBudget) fault(`the budget of day ${day} was exceeded`);
}

/** What is true after any crash. */
function judgeFinal({ call, id, state, balance }: Told, { entries, grant }: LedgerFacts, fault: Fault): void {
  if (state === 'posted' && !entries.has(id)) fault(`the ${call} of ${id} was told "posted", and it is not charged`);
  // A reservation that a sweep voided may be open again after a crash, so only its own caller may rely on it.
  const isEnd = call !== 'reserve' && (state === 'voided' || state === 'unknown');
  if (isEnd && entries.has(id)) fault(`the ${call} of ${id} was told "${state}", and it was charged`);
  if (balance !== undefined && (balance < 0n || balance > grant)) fault(`${id} was told a balance of ${balance}`);
}

const isOfOneLife = ({ sentLife, toldLife }: Told): boolean => sentLife === toldLife;

/** What is true as long as the database does not crash. */
function judgeOneLife({ told, asks, voidsSent }: LedgerFacts, fault: Fault): void {
  const deadlines = new Map(asks.map(({ id, deadlineMs }) => [id, deadlineMs]));
  const decided = new Map<string, Told>();
  for (const now of told.filter(isOfOneLife)) {
    const { call, id, state, balance, sentMs, toldMs, toldLife: life } = now;
    const first = decided.get(`${life} ${id}`);
    if (call === 'reserve' && first === undefined && DECIDED.includes(state)) decided.set(`${life} ${id}`, now);
    if (first === undefined) continue;
    const isEarly = toldMs <= (deadlines.get(id) ?? 0) && (voidsSent.get(id) ?? toldMs) >= toldMs;
    const isLost = call === 'post' && state === 'unknown' && first.state === 'reserved';
    if (isLost && isEarly) fault(`${id} was reserved, and lost before its deadline`);
    // A lost lock says nothing about the id.
    if (call !== 'reserve' || state === 'lock_lost' || first.toldMs > sentMs) continue;
    const isSame = state === first.state && balance === first.balance;
    const isResolved = first.state === 'reserved' && (state === 'posted' || state === 'voided');
    if (!isSame && !isResolved) fault(`the reserve of ${id} was told "${first.state}", then "${state}"`);
  }
}

/** A nonce admits one call in a life of the database, and none after a call of it was delivered. */
function judgeNonces({ told, asks, entries }: LedgerFacts, fault: Fault): void {
  const nonces = new Map(asks.map(({ id, nonce }) => [id, nonce]));
  const admitted = new Map<string, string>();
  const admit = (key: string, id: string) => {
    if ((admitted.get(key) ?? id) !== id) fault(`a nonce was admitted twice: ${admitted.get(key)}, ${id}`);
    admitted.set(key, id);
  };
  for (const id of entries.keys()) admit(`charged ${nonces.get(id)}`, id);
  const delivered = new Map<string, Told>();
  for (const now of told) {
    const nonce = `${nonces.get(now.id)}`;
    if (now.state === 'posted') delivered.set(nonce, now);
    if (now.state !== 'reserved') continue;
    if (isOfOneLife(now)) admit(`${now.toldLife} ${nonce}`, now.id);
    const earlier = delivered.get(nonce);
    if (earlier !== undefined && earlier.id !== now.id && earlier.toldMs <= now.sentMs)
      fault(`the nonce of ${earlier.id} was posted, and then admitted for ${now.id}`);
  }
}
