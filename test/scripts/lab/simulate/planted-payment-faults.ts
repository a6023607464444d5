import type { PlantedFault } from './planted-fault.ts';

/** Faults of the ledger and of the payments service that payers notice. */
export const PLANTED_PAYMENT_FAULTS: readonly PlantedFault[] = [
  {
    name: 'a node that does not answer counts as the proof of a failure',
    seed: 15,
    plant: {
      changeChain: (chain) => ({
        ...chain,
        stateOf: (query) => chain.stateOf(query).catch(() => ({ kind: 'void', reason: 'planted', isConfirmed: true })),
      }),
    },
    found: /is called failed, and is paid/,
  },
  {
    name: 'a transaction that was sent counts as a settlement',
    seed: 1,
    plant: {
      changeChain: (chain) => ({
        ...chain,
        async stateOf(query) {
          const { transaction } = query;
          if (transaction === undefined) return chain.stateOf(query);
          return { kind: 'settled', transaction, block: { number: 0n, hash: transaction } };
        },
      }),
    },
    found: /is open for ever|was not charged|is not paid|never became final/,
  },
  {
    name: 'an authorization that is unused now counts as void',
    seed: 260,
    plant: {
      changeChain: (chain) => ({
        ...chain,
        async stateOf(query) {
          const state = await chain.stateOf(query);
          return state.kind === 'unused' ? { kind: 'void', reason: 'planted', isConfirmed: true } : state;
        },
      }),
    },
    found: /is called failed, and is paid/,
  },
  {
    name: 'a transaction is searched from the block of the present on',
    seed: 1,
    plant: {
      changeChain: (chain) => ({
        ...chain,
        stateOf: async (query) => chain.stateOf({ ...query, fromBlock: (await chain.blockNumber()) + 128n }),
      }),
    },
    found: /is open for ever/,
  },
  {
    name: 'an answer is kept whatever became of its claim',
    seed: 17,
    plant: {
      name: 'keep',
      old: 'FROM unnest(batch) c WHERE c.id = ANY (kept) ORDER BY',
      changed: 'FROM unnest(batch) c WHERE true ORDER BY',
      also: 'ALTER TABLE retained_body DROP CONSTRAINT retained_body_pkey',
    },
    found: /no claim pays for it|retained results/,
  },
  {
    name: 'an answer is said to be kept, and is not stored',
    seed: 1,
    plant: {
      name: 'keep',
      old: 'FROM unnest(batch) c WHERE c.id = ANY (kept) ORDER BY',
      changed: 'FROM unnest(batch) c WHERE false ORDER BY',
    },
    found: /has no retained answer/,
  },
  {
    name: 'an answer that was kept is never asked about',
    seed: 1,
    plant: { name: 'keep', old: 'due_at = now_at + ', changed: 'due_at = NULL::timestamptz + ' },
    found: /is open for ever/,
  },
  {
    name: 'a claim whose answer is kept may be taken over or released',
    seed: 1,
    plant: {
      name: 'start_settling',
      old: "current.claim_id IS NULL OR current.state = 'executing'",
      changed: 'current.claim_id IS NULL',
      also: `CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
        CREATE TRIGGER planted BEFORE UPDATE ON ledger.payment_claim FOR EACH ROW
        WHEN (OLD.state = 'executing' AND NEW.state = 'retained') EXECUTE FUNCTION planted()`,
    },
    found: /is open for ever|no claim pays for it|without a retained result/,
  },
  {
    name: 'an execution has no lease',
    seed: 121,
    plant: {
      changeClaims: (claims) => ({
        ...claims,
        open: (details, options) => claims.open(details, { ...options, leaseMs: 0 }),
      }),
    },
    found: /executed twice at the same time/,
  },
  {
    name: 'a claim is opened whatever claim its payment has',
    seed: 14,
    plant: {
      name: 'open_claims',
      old: `WHEN current.claim_id IS DISTINCT FROM ask.replaces THEN 'changed'
      WHEN current.claim_id IS NOT NULL AND (current.claim_id <> ALL (locked) OR current.state <> 'executing'
        OR current.lease_until > now_at) THEN 'changed'`,
      changed: '',
      also: 'ALTER TABLE ledger.payment_claim DROP CONSTRAINT payment_claim_payer_nonce_network_asset_key',
    },
    found: /retained results|executed twice at the same time/,
  },
  {
    name: 'what a payer has in flight is not counted',
    seed: 20,
    plant: { name: 'open_claims', old: "WHEN in_flight + ask.amount > ask.balance THEN 'short'", changed: '' },
    found: /calls for \d+ were executed at the same time/,
  },
  {
    name: 'a claim without a result is no longer due',
    seed: 10,
    plant: {
      name: 'finish_claims',
      old: "CASE WHEN NOT is_proven AND NOT (is_durable AND ask.state = 'failed') THEN c.due_at END",
      changed: 'NULL',
    },
    found: /is open for ever|failed without a proof/,
  },
  {
    name: 'a claim is asked about only once',
    seed: 23,
    plant: {
      name: 'take_due_claims',
      old: "ledger.clock() + least(interval '1 hour', interval '5 seconds' * power(2, least(c.tries, 16)))",
      changed: 'NULL',
    },
    found: /is open for ever/,
  },
  {
    name: 'an identifier is never found again',
    seed: 60,
    plant: {
      name: 'take_key',
      old: 'VALUES (of_network, of_signer, identifier, for_record,',
      changed: 'VALUES (of_network, of_signer, identifier, gen_random_uuid(),',
    },
    found: /times for one call|executed twice at the same time/,
  },
];
