import type { PlantedLedgerFault } from './planted-ledger-faults.ts';

/** Faults of the ledger and of the payments service that payers notice. */
export const PLANTED_PAYMENT_FAULTS: readonly PlantedLedgerFault[] = [
  {
    name: 'a node that does not answer counts as the proof of a failure',
    seed: 5,
    plant: {
      changeChain: (chain) => ({
        ...chain,
        stateOf: (query) => chain.stateOf(query).catch(() => ({ kind: 'void', reason: 'planted' })),
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
    found: /never became final|was not charged|is not paid/,
  },
  {
    name: 'an answer is kept whatever became of its claim',
    seed: 5,
    plant: {
      name: 'keep',
      old: 'FROM unnest(batch) c WHERE c.id = ANY (kept) ORDER BY',
      changed: 'FROM unnest(batch) c WHERE true ORDER BY',
      also: 'ALTER TABLE retained_body DROP CONSTRAINT retained_body_pkey',
    },
    found: /no claim pays for it|retained results/,
  },
  {
    name: 'a release deletes a claim whose answer is kept',
    seed: 5,
    plant: { name: 'release_claims', old: "AND c.state = 'executing'\n    ORDER", changed: 'ORDER' },
    found: /no claim pays for it|without a retained result|not retained/,
  },
];
