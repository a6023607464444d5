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
  /**
   * Counts the gas that a transaction may use, before it is sent.
   * @returns the day of which it is; undefined, and nothing is counted, where it is too much
   */
  take(accounts: readonly GasAccount[], gas: bigint): Promise<string | undefined>;
  /** Counts less, after a transaction that was paid for, or was not sent. `day`: that of `take`, or else today. */
  giveBack(accounts: readonly GasAccount[], gas: bigint, day?: string): Promise<void>;
  /** Counts gas that was lost, however much it is. */
  lose(accounts: readonly GasAccount[], gas: bigint): Promise<void>;
  /** Whether `take` would count it. */
  hasRoom(accounts: readonly GasAccount[], gas: bigint): Promise<boolean>;
  /** What is counted today. */
  spent(account: GasAccount): Promise<bigint>;
  /** Like `spent`, of several accounts at once. */
  spentBy(accounts: readonly GasAccount[]): Promise<(account: GasAccount) => bigint>;
  /** Whether a payer has no gas left for a settlement, as of a second ago: honest payers must not cost a query each. */
  isUsedUp(payer: Hex): Promise<boolean>;
}

/** Gas that was counted before its transaction is sent. */
export interface GasTaken {
  readonly accounts: readonly GasAccount[];
  readonly gas: bigint;
  readonly day: string;
}

/** The gas limit of a settlement. A transferWithAuthorization of USDC takes 60,000 to 90,000. */
export const GAS_PER_SETTLEMENT = 120_000n;
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

  /** @returns false where the sum would be more than `most` */
  async function add(account: GasAccount, gas: bigint, { day, most }: Adding): Promise<boolean> {
    const limit = most ?? null;
    const { rows } = await sql`
      WITH old AS (DELETE FROM ledger.spent_gas WHERE network = ${network} AND day < ${today()}::date - 7)
      INSERT INTO ledger.spent_gas AS s (network, day, account, gas)
      SELECT ${network}, ${day}::date, ${account.toLowerCase()}, greatest(0, ${gas}::bigint)
        WHERE ${limit}::bigint IS NULL OR ${gas}::bigint <= ${limit}::bigint
      ON CONFLICT ON CONSTRAINT spent_gas_pkey DO UPDATE SET gas = greatest(0, s.gas + ${gas}::bigint)
        WHERE ${limit}::bigint IS NULL OR s.gas + ${gas}::bigint <= ${limit}::bigint
      RETURNING 1`.execute(database);
    return rows.length > 0;
  }
  const addAll = async (accounts: readonly GasAccount[], gas: bigint, day = today()) => {
    for (const account of accounts) await add(account, gas, { day });
  };
  async function spentBy(accounts: readonly GasAccount[]) {
    const { rows } = await sql<{ readonly account: string; readonly gas: string }>`
      SELECT account, gas::text FROM ledger.spent_gas WHERE network = ${network} AND day = ${today()}::date
        AND account = ANY (${accounts.map((account) => account.toLowerCase())}::text[])`.execute(database);
    const byAccount = new Map(rows.map(({ account, gas }) => [account, BigInt(gas)]));
    return (account: GasAccount) => byAccount.get(account.toLowerCase()) ?? 0n;
  }
  const spent = async (account: GasAccount) => (await spentBy([account]))(account);
  async function readUsedUp(): Promise<ReadonlySet<string>> {
    const { rows } = await sql<{ readonly account: string }>`
      SELECT account FROM ledger.spent_gas WHERE network = ${network} AND day = ${today()}::date AND account <> 'code'
        AND gas > ${MAX_OF_PAYER - GAS_PER_SETTLEMENT}::bigint`.execute(database);
    return new Set(rows.map(({ account }) => account));
  }
  const usedUp = createKept(readUsedUp);
  function report(account: GasAccount): false {
    const name = account === 'code' ? 'the payers with code' : 'a payer';
    logError(new Error(`${name} used up the gas of the day`), { kind: name, fields: { account } });
    return false;
  }

  return {
    async take(accounts, gas) {
      const day = today();
      for (const [index, account] of accounts.entries()) {
        if (await add(account, gas, { day, most: mostOf(account) })) continue;
        await addAll(accounts.slice(0, index), -gas, day);
        report(account);
        return undefined;
      }
      return day;
    },
    giveBack: (accounts, gas, day) => addAll(accounts, -gas, day),
    lose: (accounts, gas) => addAll(accounts, gas),
    async hasRoom(accounts, gas) {
      for (const account of accounts) {
        if ((await spent(account)) + gas > mostOf(account)) return report(account);
      }
      return true;
    },
    spent,
    spentBy,
    isUsedUp: async (payer) => (await usedUp()).has(payer.toLowerCase()),
  };
}

interface Adding {
  readonly day: string;
  /** undefined: no limit. */
  readonly most?: bigint;
}

const KEPT_MS = 1000;

/** Keeps an answer for a second. */
function createKept<T>(read: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined;
  let readMs = 0;
  return () => {
    if (kept !== undefined && performance.now() - readMs < KEPT_MS) return kept;
    const answer = read();
    kept = answer;
    readMs = performance.now();
    answer.catch(() => {
      if (kept === answer) kept = undefined;
    });
    return answer;
  };
}
