import {
  GAS_PER_SETTLEMENT,
  type GasAccount,
  type GasBudget,
  mostOf,
} from '../../../services/payments/signer/gas-budget.ts';

/** A gas budget of one process. */
export function createMemoryGasBudget(): GasBudget {
  const counted = new Map<string, { readonly cause: string; readonly account: GasAccount; readonly gas: bigint }>();
  const spentBy = (account: GasAccount) =>
    [...counted.values()].reduce((sum, each) => (each.account === account ? sum + each.gas : sum), 0n);
  const hasRoom = async (accounts: readonly GasAccount[], gas: bigint) =>
    accounts.every((account) => spentBy(account) + gas <= mostOf(account));
  const lose = async (cause: string, accounts: readonly GasAccount[], gas: bigint) => {
    for (const account of accounts) counted.set(`${cause} ${account}`, { cause, account, gas });
  };
  return {
    hasRoom,
    async take(cause, accounts, gas) {
      if (!(await hasRoom(accounts, gas))) return false;
      await lose(cause, accounts, gas);
      return true;
    },
    async giveBack(cause, accounts) {
      for (const [key, each] of counted) {
        if (each.cause === cause && (accounts ?? [each.account]).includes(each.account)) counted.delete(key);
      }
    },
    async keep(cause, gas) {
      for (const [key, each] of counted) if (each.cause === cause) counted.set(key, { ...each, gas });
    },
    lose,
    spent: async (account) => spentBy(account),
    spentBy: async () => spentBy,
    isUsedUp: async (payer) => !(await hasRoom([payer], GAS_PER_SETTLEMENT)),
  };
}
