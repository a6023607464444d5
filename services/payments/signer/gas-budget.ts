import { sql, type Transaction } from 'kysely';
import type { Hex } from 'viem';
import type { Logger } from '../../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables.ts';

/** Whose gas is counted: that of one payer, of all payers with code together, or of all refunds of channels that were never charged. */
export type GasAccount = Hex | 'code' | 'uncharged';

/**
 * Bounds the gas that is spent in a day (UTC) and that no payment pays for: of deposits and refunds, and of settlements that
 * fail. The token asks the code of a payer that has code whether it signed (ERC-1271, EIP-7702), and this code may say yes in
 * a simulation and no in the transaction. Gas is counted for a cause, such as a payment, and once: whoever finds out what
 * became of it may say so again. All copies of the service count together. Methods throw when the database does not answer.
 */
export interface GasBudget {
  /**
   * Counts the gas that a transaction may use, before it is sent.
   * @returns the accounts for which the cause was not counted before. Undefined, and nothing is counted, where it is too
   *   much for the day
   */
  take(cause: string, accounts: readonly GasAccount[], gas: bigint): Promise<readonly GasAccount[] | undefined>;
  /** Counts nothing for the cause any more, after it was paid for or was not sent. `accounts`: these only. */
  giveBack(cause: string, accounts?: readonly GasAccount[]): Promise<void>;
  /** Counts what was used of the gas that was taken. */
  keep(cause: string, used: bigint): Promise<void>;
  /** Counts gas that was lost, however much it is. */
  lose(cause: string, accounts: readonly GasAccount[], gas: bigint): Promise<void>;
  /** Whether `take` would count it. */
  hasRoom(accounts: readonly GasAccount[], gas: bigint): Promise<boolean>;
  /** What is counted today. */
  spent(account: GasAccount): Promise<bigint>;
  /** Like `spent`, of several accounts at once. */
  spentBy(accounts: readonly GasAccount[]): Promise<(account: GasAccount) => bigint>;
  /** Whether a payer has no gas left for a settlement, as of a second ago: honest payers must not cost a query each. */
  isUsedUp(payer: Hex): Promise<boolean>;
}

/** Whether code used up the gas of a transaction: a call that the token refuses uses little. */
export const isBurned = ({ used, limit }: { readonly used: bigint; readonly limit: bigint }): boolean =>
  used * 4n > limit * 3n;

/** Of what the gas of a payment is counted. */
export const causeOf = ({ payer, nonce }: { readonly payer: Hex; readonly nonce: Hex }): string =>
  `payment:${payer}:${nonce}`.toLowerCase();

/** The gas limit of a settlement. A transferWithAuthorization of USDC takes 60,000 to 90,000. */
export const GAS_PER_SETTLEMENT = 120_000n;
/** A hundred deposits. */
const MAX_OF_PAYER = 20_000_000n;
/** At a fee of 0.01 gwei, this is 0.0005 ether. */
const MAX_OF_CODE = 50_000_000n;
/** More than a hundred refunds. Anyone can deposit, fail a call, get everything back and pass it on to another wallet. */
const MAX_OF_UNCHARGED = 20_000_000n;
const SHARED: ReadonlyMap<GasAccount, { readonly most: bigint; readonly name: string }> = new Map([
  ['code', { most: MAX_OF_CODE, name: 'payers with code' }],
  ['uncharged', { most: MAX_OF_UNCHARGED, name: 'refunds of channels that were never charged' }],
]);
export const mostOf = (account: GasAccount): bigint => SHARED.get(account)?.most ?? MAX_OF_PAYER;

/** What is counted today of many payers together. */
export interface SharedGas {
  readonly of: string;
  readonly spent: bigint;
  readonly most: bigint;
}

export async function readSharedGas({ spentBy }: Pick<GasBudget, 'spentBy'>): Promise<readonly SharedGas[]> {
  const spent = await spentBy([...SHARED.keys()]);
  return [...SHARED].map(([account, { name, most }]) => ({ of: name, spent: spent(account), most }));
}

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

  /** @returns whether it was not counted before. @throws {TooMuchGas} */
  async function takeOf(transaction: Transaction<Tables>, { cause, account, gas }: Taking): Promise<boolean> {
    const name = account.toLowerCase();
    // Of two that take at once, the second sees what the first took.
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`ledger.spent_gas/${network}/${name}`}, 0))`.execute(
      transaction,
    );
    const { rows } = await sql<{ readonly is_new: boolean }>`
      INSERT INTO ledger.spent_gas AS s (network, cause, account, day, gas)
      SELECT ${network}, ${cause}, ${name}, ${today()}::date, ${gas}::bigint
        WHERE ${gas}::bigint + (SELECT coalesce(sum(o.gas), 0) FROM ledger.spent_gas o WHERE o.network = ${network}
          AND o.day = ${today()}::date AND o.account = ${name} AND o.cause <> ${cause}) <= ${mostOf(account)}::bigint
      ON CONFLICT ON CONSTRAINT spent_gas_pkey DO UPDATE
        SET gas = greatest(s.gas, excluded.gas), day = excluded.day
      RETURNING xmax = 0 AS is_new`.execute(transaction);
    const [row] = rows;
    if (row === undefined) throw new TooMuchGas(account);
    return row.is_new;
  }
  async function spentBy(accounts: readonly GasAccount[]) {
    const { rows } = await sql<{ readonly account: string; readonly gas: string }>`
      SELECT account, sum(gas)::text AS gas FROM ledger.spent_gas WHERE network = ${network} AND day = ${today()}::date
        AND account = ANY (${accounts.map((account) => account.toLowerCase())}::text[]) GROUP BY account`.execute(
      database,
    );
    const byAccount = new Map(rows.map(({ account, gas }) => [account, BigInt(gas)]));
    return (account: GasAccount) => byAccount.get(account.toLowerCase()) ?? 0n;
  }
  const spent = async (account: GasAccount) => (await spentBy([account]))(account);
  async function readUsedUp(): Promise<ReadonlySet<string>> {
    const { rows } = await sql<{ readonly account: string }>`
      SELECT account FROM ledger.spent_gas WHERE network = ${network} AND day = ${today()}::date AND account LIKE '0x%'
        GROUP BY account HAVING sum(gas) > ${MAX_OF_PAYER - GAS_PER_SETTLEMENT}::bigint`.execute(database);
    return new Set(rows.map(({ account }) => account));
  }
  const usedUp = createKept(readUsedUp);
  function report(account: GasAccount): false {
    const name = SHARED.get(account)?.name ?? 'a payer';
    logError(new Error(`${name} used up the gas of the day`), { kind: name, fields: { account } });
    return false;
  }

  async function take(
    cause: string,
    accounts: readonly GasAccount[],
    gas: bigint,
  ): Promise<readonly GasAccount[] | undefined> {
    if (accounts.length === 0) return [];
    await sql`DELETE FROM ledger.spent_gas WHERE network = ${network} AND day < ${today()}::date - 7`.execute(database);
    try {
      return await database.transaction().execute(async (transaction) => {
        // A copy that hangs must not hold the connections of the others.
        await sql`SET LOCAL lock_timeout = '2s'`.execute(transaction);
        const taken: GasAccount[] = [];
        for (const account of accounts) {
          if (await takeOf(transaction, { cause, account, gas })) taken.push(account);
        }
        return taken;
      });
    } catch (error) {
      if (!(error instanceof TooMuchGas)) throw error;
      report(error.account);
      return undefined;
    }
  }

  return {
    take,
    async giveBack(cause, accounts) {
      const names = accounts?.map((account) => account.toLowerCase()) ?? null;
      await sql`DELETE FROM ledger.spent_gas WHERE network = ${network} AND cause = ${cause}
        AND (${names}::text[] IS NULL OR account = ANY (${names}::text[]))`.execute(database);
    },
    async keep(cause, used) {
      await sql`UPDATE ledger.spent_gas SET gas = least(gas, ${used}::bigint)
        WHERE network = ${network} AND cause = ${cause}`.execute(database);
    },
    async lose(cause, accounts, gas) {
      await sql`INSERT INTO ledger.spent_gas (network, cause, account, day, gas)
        SELECT ${network}, ${cause}, lower(a.account), ${today()}::date, ${gas}::bigint
        FROM unnest(${[...accounts]}::text[]) AS a(account) ON CONFLICT DO NOTHING`.execute(database);
    },
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

interface Taking {
  readonly cause: string;
  readonly account: GasAccount;
  readonly gas: bigint;
}

/** Undoes what was taken of other accounts. */
class TooMuchGas extends Error {
  override readonly name = 'TooMuchGas';
  readonly account: GasAccount;

  constructor(account: GasAccount) {
    super('the gas of the day is used up');
    this.account = account;
  }
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
