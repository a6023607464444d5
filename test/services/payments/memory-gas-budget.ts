import {
  GAS_PER_SETTLEMENT,
  type GasAccount,
  type GasBudget,
  mostOf,
} from '../../../services/payments/signer/gas-budget.ts';

/** A gas budget of one process. */
export function createMemoryGasBudget(): GasBudget {
  const counted = new Map<GasAccount, bigint>();
  const spentBy = (account: GasAccount) => counted.get(account) ?? 0n;
  const addAll = async (accounts: readonly GasAccount[], gas: bigint) => {
    for (const account of accounts) counted.set(account, spentBy(account) + gas);
  };
  const hasRoom = async (accounts: readonly GasAccount[], gas: bigint) =>
    accounts.every((account) => spentBy(account) + gas <= mostOf(account));
  return {
    hasRoom,
    async take(accounts, gas) {
      if (!(await hasRoom(accounts, gas))) return undefined;
      await addAll(accounts, gas);
      return '2026-11-26';
    },
    giveBack: (accounts, gas) => addAll(accounts, -gas),
    lose: addAll,
    spent: async (account) => spentBy(account),
    spentBy: async () => spentBy,
    isUsedUp: async (payer) => !(await hasRoom([payer], GAS_PER_SETTLEMENT)),
  };
}
