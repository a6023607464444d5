import { sql } from 'kysely';
import type { Hex } from 'viem';
import type { Logger } from '../../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';
import type { Database } from '../../store/database.ts';

/** Whose gas is counted: that of one payer, or that of all payers with code together. */
export type GasAccount = Hex | 'code';

/**
 * Bounds the gas that is spent in a day (UTC) and that no payment pays for: of deposits and refunds, and of settlements that
 * fail. The token asks the code of a payer that has code whether it signed (ERC-1271, EIP-7702), and this code may say yes in
 * a simulation and no in the transaction. All copies of the service count together. Methods throw when the database does not
 * answer.
 */
export interface GasBudget {
  /** Counts the gas that a transaction may use, before it is sent. @returns false, and counts nothing, where it is too much */
  take(accounts: readonly GasAccount[], gas: bigint): Promise<boolean>;
  /** Counts less, after a transaction that was paid for, or was not sent. */
  giveBack(accounts: readonly GasAccount[], gas: bigint): Promise<void>;
  /** Counts gas that was lost, however much it is. */
  lose(accounts: readonly GasAccount[], gas: bigint): Promise<void>;
  /** Whether `take` would count it. */
  hasRoom(accounts: readonly GasAccount[], gas: bigint): Promise<boolean>;
  /** What is counted today. */
  spent(account: GasAccount): Promise<bigint>;
}

/** A hundred deposits. */
const MAX_OF_PAYER = 20_000_000n;
/** At a fee of 0.01 gwei, this is 0.0005 ether. */
const MAX_OF_CODE = 50_000_000n;
export const mostOf = (account: GasAccount): bigint => (account === 'code' ? MAX_OF_CODE : MAX_OF_PAYER);

export interface GasBudgetOptions {
  readonly database: Database;
  /** CAIP-2. */
  readonly network: string;
  readonly now: () => number;
  readonly logger: Logger;
}

export function createGasBudget({ database, network, now, logger }: GasBudgetOptions): GasBudget {
  const logError = createRepeatedErrorLog({ logger, message: 'transactions are refused until the next day (UTC)' });
  const today = () => new Date(now()).toISOString().slice(0, 10);

  /** @param most undefined: no limit. @returns false where the sum would be more */
  async function add(account: GasAccount, gas: bigint, most?: bigint): Promise<boolean> {
    const limit = most ?? null;
    const { rows } = await sql`
      WITH old AS (DELETE FROM ledger.spent_gas WHERE network = ${network} AND day < ${today()}::date - 7)
      INSERT INTO ledger.spent_gas AS s (network, day, account, gas)
      SELECT ${network}, ${today()}::date, ${account.toLowerCase()}, greatest(0, ${gas}::bigint)
        WHERE ${limit}::bigint IS NULL OR ${gas}::bigint <= ${limit}::bigint
      ON CONFLICT ON CONSTRAINT spent_gas_pkey DO UPDATE SET gas = greatest(0, s.gas + ${gas}::bigint)
        WHERE ${limit}::bigint IS NULL OR s.gas + ${gas}::bigint <= ${limit}::bigint
      RETURNING 1`.execute(database);
    return rows.length > 0;
  }
  const addAll = async (accounts: readonly GasAccount[], gas: bigint) => {
    for (const account of accounts) await add(account, gas);
  };
  async function spent(account: GasAccount): Promise<bigint> {
    const { rows } = await sql<{ readonly gas: string }>`
      SELECT gas::text FROM ledger.spent_gas
      WHERE network = ${network} AND day = ${today()}::date AND account = ${account.toLowerCase()}`.execute(database);
    return BigInt(rows[0]?.gas ?? 0);
  }
  function report(account: GasAccount): false {
    const name = account === 'code' ? 'the payers with code' : 'a payer';
    logError(new Error(`${name} used up the gas of the day`), { kind: name, fields: { account } });
    return false;
  }

  return {
    async take(accounts, gas) {
      for (const [index, account] of accounts.entries()) {
        if (await add(account, gas, mostOf(account))) continue;
        await addAll(accounts.slice(0, index), -gas);
        return report(account);
      }
      return true;
    },
    giveBack: (accounts, gas) => addAll(accounts, -gas),
    lose: addAll,
    async hasRoom(accounts, gas) {
      for (const account of accounts) {
        if ((await spent(account)) + gas > mostOf(account)) return report(account);
      }
      return true;
    },
    spent,
  };
}
