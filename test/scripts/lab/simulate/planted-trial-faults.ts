import type { PlantedFault } from './planted-fault.ts';

/** Faults of the ledger that clients of gateways notice. */
export const PLANTED_TRIAL_FAULTS: readonly PlantedFault[] = [
  {
    name: 'a nonce is admitted again',
    seed: 1,
    plant: {
      name: 'reserve',
      old: 'SELECT of_network, a.expires_at, a.nonce, a.id,',
      changed: 'SELECT of_network, a.expires_at, md5(a.id::text), a.id,',
    },
    found: /was told "charged", and was not|one_reservation_per_nonce|no proof reserved it/,
  },
  {
    name: 'a void leaves the reservation open',
    seed: 7,
    plant: {
      name: 'void',
      old: 'DELETE FROM ledger.reservation r WHERE r.id = ANY (held) RETURNING r.id, r.account',
      changed: 'SELECT r.id, r.account FROM ledger.reservation r WHERE r.id = ANY (held)',
    },
    found: /is open for ever|grants_add_up/,
  },
  {
    name: 'a post says that it charged what it did not find',
    seed: 202,
    plant: { name: 'post', old: "THEN 'unknown'", changed: "THEN 'posted'" },
    found: /was told "charged", and was not/,
  },
  {
    name: 'a post does not wait for the disk',
    seed: 8,
    plant: { name: 'post', old: 'open_batch(true)', changed: 'open_batch(false)' },
    found: /was told "charged", and was not/,
  },
];
