import type { Plant } from '../../../../scripts/lab/simulate/processes/plants.ts';

export interface PlantedFault {
  readonly name: string;
  /** The first seed that finds it. The long test finds it again, if a change of the product moves it. */
  readonly seed: number;
  readonly plant: Plant;
  readonly only: 'trials' | 'payments';
  /** What the model says about it. */
  readonly found: RegExp;
}

/** Changes the text of a Lua library. The text must be there, or the fault would not be planted. */
function replacing(library: string, old: string, changed: string): Plant {
  return {
    library(code) {
      if (!code.includes(`name=${library}`)) return code;
      if (!code.includes(old)) throw new Error(`${library} has no text ${old}`);
      return code.replace(old, changed);
    },
  };
}

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    name: 'the sweep charges trials whose result is not retained',
    seed: 7,
    only: 'trials',
    plant: { retention: (retention) => ({ ...retention, findRetained: async (ids) => new Set(ids) }) },
    found: /was charged without a retained result/,
  },
  {
    name: 'a reservation that was posted can be voided, and the other way round',
    seed: 209,
    only: 'trials',
    plant: replacing('tollhouse_ledger', "if state == 'pending' then", 'if state ~= wanted then'),
    found: /and then got a (void|post)/,
  },
  {
    name: 'a nonce is admitted again',
    seed: 3,
    only: 'trials',
    plant: replacing('tollhouse_ledger', "  elseif burnt then\n    return 'nonce_replayed'\n", ''),
    found: /was admitted twice/,
  },
  {
    name: 'the daily budget is not checked',
    seed: 29,
    only: 'trials',
    plant: replacing('tollhouse_ledger', 'book.meta.used + ask.cost > limits.budget', 'false'),
    found: /the budget of day \d+ was exceeded/,
  },
  {
    name: 'a void returns the amount twice',
    seed: 3,
    only: 'trials',
    plant: replacing(
      'tollhouse_ledger',
      'wallet.balance = wallet.balance + cost',
      'wallet.balance = wallet.balance + 2 * cost',
    ),
    found: /differs from the journal/,
  },
  {
    name: 'a node that does not answer counts as the proof of a failure',
    seed: 256,
    only: 'payments',
    plant: {
      chain: (chain) => ({
        ...chain,
        stateOf: (query) => chain.stateOf(query).catch(() => ({ kind: 'void', reason: 'planted' })),
      }),
    },
    found: /is called failed, and is paid/,
  },
  {
    name: 'a transaction that was sent counts as a settlement',
    seed: 4,
    only: 'payments',
    plant: {
      chain: (chain) => ({
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
];
