import {
  GAS_PER_SETTLEMENT,
  type GasAccount,
  type GasBudget,
  mostOf,
} from '../../../services/payments/signer/gas-budget.ts';

interface Row {
  readonly cause: string;
  readonly account: string;
  gas: bigint;
}

/** A gas budget of one process and one day. */
export function createMemoryGasBudget(): GasBudget {
  let rows: readonly Row[] = [];
  const find = (cause: string, account: GasAccount) =>
    rows.find((row) => row.cause === cause && row.account === account.toLowerCase());
  const add = (cause: string, account: GasAccount, gas: bigint) => {
    rows = [...rows, { cause, account: account.toLowerCase(), gas }];
  };
  const spentBy = (account: GasAccount) =>
    rows.reduce((sum, row) => (row.account === account.toLowerCase() ? sum + row.gas : sum), 0n);
  const hasRoom = (account: GasAccount, gas: bigint, cause?: string) =>
    spentBy(account) - (cause === undefined ? 0n : (find(cause, account)?.gas ?? 0n)) + gas <= mostOf(account);
  async function take(cause: string, accounts: readonly GasAccount[], gas: bigint) {
    if (!accounts.every((account) => hasRoom(account, gas, cause))) return undefined;
    const taken = accounts.filter((account) => find(cause, account) === undefined);
    for (const account of accounts) {
      const row = find(cause, account);
      if (row === undefined) add(cause, account, gas);
      else if (row.gas < gas) row.gas = gas;
    }
    return taken;
  }
  return {
    async hasRoom(accounts, gas) {
      return accounts.every((account) => hasRoom(account, gas));
    },
    take,
    async giveBack(cause, accounts) {
      const names = accounts?.map((account) => account.toLowerCase());
      rows = rows.filter((row) => row.cause !== cause || names?.includes(row.account) === false);
    },
    async keep(cause, used) {
      for (const row of rows) if (row.cause === cause && row.gas > used) row.gas = used;
    },
    async lose(cause, accounts, gas) {
      for (const account of accounts) if (find(cause, account) === undefined) add(cause, account, gas);
    },
    spent: async (account) => spentBy(account),
    spentBy: async () => spentBy,
    isUsedUp: async (payer) => !hasRoom(payer, GAS_PER_SETTLEMENT),
  };
}
