import type { PlantedFault } from './planted-fault.ts';

export const PLANTED_LEDGER_FAULTS: readonly PlantedFault[] = [
  {
    name: 'a post leaves the reservation open',
    seed: 1,
    plant: {
      name: 'post_one',
      old: "DELETE FROM ledger.reservation r WHERE r.id = call.id AND r.network = of_network AND r.kind = 'trial'\n    RETURNING r.* INTO charged",
      changed:
        "SELECT r.* INTO charged FROM ledger.reservation r WHERE r.id = call.id AND r.network = of_network AND r.kind = 'trial'",
    },
    found: /has 50000 left|the audit found (one_resolution|grants_add_up)/,
  },
  {
    name: 'a void does not return the amount to the wallet',
    seed: 2,
    plant: { name: 'void', old: 'balance = w.balance + back.amount', changed: 'balance = w.balance' },
    found: /wallet 0x\w+ has \d+ left/,
  },
  {
    name: 'a void does not return the amount to the budget of its day',
    seed: 2,
    plant: { name: 'void', old: 'returned.day, returned.amount', changed: 'returned.day, 0' },
    found: /the audit found day_adds_up/,
  },
  {
    name: 'a nonce is not stored',
    seed: 2,
    plant: {
      name: 'reserve',
      old: 'SELECT of_network, a.expires_at, a.nonce, a.id,',
      changed: 'SELECT of_network, a.expires_at, md5(a.id::text), a.id,',
    },
    found:
      /a nonce was admitted twice|and then admitted|was told "reserved", then "reserved"|"daily_budget_exhausted", then "nonce_replayed"/,
  },
  {
    name: 'a post does not wait for the disk',
    seed: 2,
    plant: { name: 'post', old: 'open_batch(true)', changed: 'open_batch(false)' },
    found: /was told "posted", and it is not charged/,
  },
  {
    name: 'a post waits for the disk only if the server says so',
    seed: 2,
    plant: { name: 'open_batch', old: "ELSE 'on' END", changed: "ELSE current_setting('synchronous_commit') END" },
    found: /was told "posted", and it is not charged/,
  },
  {
    name: 'a sweep returns the amounts of what is posted',
    seed: 1,
    plant: {
      name: 'sweep',
      old: 'RETURN QUERY',
      changed: `UPDATE ledger.wallet w SET balance = w.balance + e.amount FROM ledger.entry e
        WHERE e.network = w.network AND e.account = w.address AND w.balance + e.amount <= w.granted;
        RETURN QUERY`,
    },
    found: /the audit found grants_add_up/,
  },
  {
    name: 'a sweep voids calls before their deadline',
    seed: 6,
    plant: {
      name: 'overdue',
      old: "r.deadline < coalesce(ledger.clock() - grace_ms * interval '1 millisecond', 'infinity')",
      changed: 'true',
    },
    found: /was reserved, and lost before its deadline/,
  },
  {
    name: 'a void says of what is posted that it is voided',
    seed: 37,
    plant: { name: 'void', old: "THEN 'posted'", changed: "THEN 'voided'" },
    found: /was told "voided", and it was charged/,
  },
  {
    name: 'the budget of the day is not checked',
    seed: 5,
    plant: { name: 'reserve', old: 'ask.used_today + reserved_sum + ask.amount > day_budget', changed: 'false' },
    found: /the budget of day \S+ was exceeded|day_within_budget/,
  },
  {
    name: 'the calls of a batch share what is left of the day',
    seed: 33,
    plant: {
      name: 'reserve',
      old: 'ask.used_today + reserved_sum + ask.amount',
      changed: 'ask.used_today + ask.amount',
    },
    found: /the budget of day \S+ was exceeded|day_within_budget/,
  },
  {
    name: 'a repeated reserve reserves again',
    seed: 1,
    plant: { name: 'examine_asks', old: 'WHEN b.reservation_id = a.id THEN b.outcome', changed: '' },
    found: /was told "\w+", then "\w+"/,
  },
  {
    name: 'answers are stored under the wrong call of a batch',
    seed: 57,
    plant: { name: 'post', old: 'substring(bodies FROM c.start + 1 FOR', changed: 'substring(bodies FROM 1 FOR' },
    found: /was charged without its answer/,
  },
];
