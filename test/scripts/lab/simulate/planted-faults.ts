import type { Plant } from '../../../../scripts/lab/simulate/processes/plants.ts';

export interface PlantedFault {
  readonly name: string;
  /** The first seed that finds it. The long test finds it again, if a change of the product moves it. */
  readonly seed: number;
  readonly plant: Plant;
  /** What the model says about it. */
  readonly found: RegExp;
}

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    name: 'a node that does not answer counts as the proof of a failure',
    seed: 53,
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
