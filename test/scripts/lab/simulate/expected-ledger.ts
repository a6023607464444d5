/** Kinds of faults and outcomes that worlds of the ledger must have. */
const KINDS = [
  'fault: broken connection to PostgreSQL',
  'fault: failed statement',
  'fault: late message',
  'fault: crash at a message',
  'fault: crash at a statement',
  'fault: crash of the database',
  'fault: lost commits',
  'ledger: reserve reserved',
  'ledger: reserve posted',
  'ledger: reserve voided',
  'ledger: reserve insufficient_balance',
  'ledger: reserve daily_budget_exhausted',
  'ledger: reserve grants_exhausted',
  'ledger: reserve throttled',
  'ledger: reserve nonce_replayed',
  'ledger: reserve expired',
  'ledger: reserve deadline_passed',
  'ledger: reserve lock_lost',
  'ledger: post posted',
  'ledger: post unknown',
  'ledger: void voided',
  'ledger: void posted',
  'ledger: void unknown',
];

/** What did not come in the counted worlds. */
export const missingInLedger = (counts: ReadonlyMap<string, number>): readonly string[] =>
  KINDS.filter((what) => !counts.has(what));
