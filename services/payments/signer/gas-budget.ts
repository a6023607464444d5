import { sql, type Transaction } from 'kysely';
import type { Hex } from 'viem';
import { defined } from '../../../workers/exact/defined.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables.ts';

/**
 * Whose gas is counted: one payer's, that of the deposits from one address range, or a sum over many payers.
 * - `code`: failures of all payers with code
 * - `uncharged`: refunds of channels that were never charged
 * - `deposits`: all deposits. It has an alarm and no bound: a bound would let one attacker keep everybody from depositing.
 */
export type GasAccount = Hex | `range:${string}` | 'code' | 'uncharged' | 'deposits';

/** What may be sent: `known` if an earlier transaction of the same cause is still on its way. */
export type Reservation =
  | 'new'
  | 'known'
  /** Only until some of what is on its way has ended. */
  | 'full'
  /** Until the day ends. */
  | 'refused';

export interface GasRequest {
  /** What the gas is spent for, such as a payment. Its transactions share one limit. */
  readonly cause: string;
  readonly accounts: readonly GasAccount[];
  /** The gas limit of the transaction. */
  readonly limit: bigint;
  /** How many payments of the first account may be on their way, this one included. */
  readonly atOnce?: number | undefined;
}

/**
 * Bounds the gas of a UTC day that no payment pays for: of deposits, refunds and failed settlements. The token asks the
 * code of a payer with code whether it signed (ERC-1271, EIP-7702), and this code may say yes in a simulation and no in the
 * transaction. What is counted plus the limits of what is on its way stays within each bound, over all copies of the
 * service. Methods throw when the database does not answer.
 */
export interface GasBudget {
  /** Notes that a transaction is on its way, before it is sent. Stores nothing if it does not fit. */
  reserve(request: GasRequest): Promise<Reservation>;
  /**
   * Records the outcome of what is on its way. `gas` is counted, up to the limit, for the accounts of the cause. A repeat
   * does nothing. Gas that a payment paid for is 0n.
   * @param ofCode whether all payers with code lost it; as reserved by default
   */
  end(cause: string, gas: bigint, ofCode?: boolean): Promise<void>;
  /** Counts gas that was lost without a reservation, once for a cause and account. */
  lose(cause: string, accounts: readonly GasAccount[], gas: bigint): Promise<void>;
  /** Whether so much gas fits beside what is counted. */
  hasRoom(accounts: readonly GasAccount[], gas: bigint): Promise<boolean>;
  /** What is counted today. */
  spentBy(accounts: readonly GasAccount[]): Promise<(account: GasAccount) => bigint>;
  /** Whether a payer has no gas left for a settlement, as of a second ago: honest payers must not cost a query each. */
  isUsedUp(payer: Hex): Promise<boolean>;
  /** Deletes what is older than a week, and the address ranges of earlier days. */
  forget(): Promise<void>;
}

/** Whether code used up the gas of a transaction: a call that the token refuses uses little. */
export const isBurned = ({ used, limit }: { readonly used: bigint; readonly limit: bigint }): boolean =>
  used * 4n > limit * 3n;

const PAYMENT = 'payment:';
/** For what the gas of a payment that is settled alone is spent. */
export const causeOf = ({ payer, nonce }: { readonly payer: Hex; readonly nonce: Hex }): string =>
  `${PAYMENT}${payer}:${nonce}`.toLowerCase();

/** The gas limit of a settlement. A transferWithAuthorization of USDC takes 60,000 to 90,000. */
export const GAS_PER_SETTLEMENT = 120_000n;
/** More than a hundred deposits. */
const MAX_OF_PAYER = 20_000_000n;
const MAX_OF_RANGE = 20_000_000n;

interface Shared {
  readonly name: string;
  readonly most: bigint;
  /** Whether more than `most` is logged and not refused. */
  readonly isAlarm: boolean;
}
const SHARED: ReadonlyMap<GasAccount, Shared> = new Map([
  // At a fee of 0.01 gwei, this is 0.0005 ether.
  ['code', { most: 50_000_000n, name: 'payers with code', isAlarm: false }],
  // More than a hundred refunds. Anyone can deposit, fail a call, get everything back and pass it on to another wallet.
  ['uncharged', { most: 20_000_000n, name: 'refunds of channels that were never charged', isAlarm: false }],
  // About 700 deposits.
  ['deposits', { most: 100_000_000n, name: 'all deposits', isAlarm: true }],
]);
const isRange = (account: GasAccount): boolean => account.startsWith('range:');
export const mostOf = (account: GasAccount): bigint =>
  SHARED.get(account)?.most ?? (isRange(account) ? MAX_OF_RANGE : MAX_OF_PAYER);

/** What is counted today of many payers together. */
export interface SharedGas {
  readonly of: string;
  readonly spent: bigint;
  readonly most: bigint;
  readonly isAlarm: boolean;
}

export async function readSharedGas({ spentBy }: Pick<GasBudget, 'spentBy'>): Promise<readonly SharedGas[]> {
  const spent = await spentBy([...SHARED.keys()]);
  return [...SHARED].map(([account, { name: of, ...shared }]) => ({ of, spent: spent(account), ...shared }));
}

export interface GasBudgetOptions {
  readonly database: Database;
  /** CAIP-2. */
  readonly network: string;
  readonly now: () => number;
  readonly logger: Logger;
}

/** The gas of one account. */
interface Sums {
  readonly counted: bigint;
  readonly onItsWay: bigint;
  /** Payments on their way. */
  readonly payments: number;
  readonly isKnown: boolean;
}
const NOTHING: Sums = { counted: 0n, onItsWay: 0n, payments: 0, isKnown: false };

export function createGasBudget({ database, network, now, logger }: GasBudgetOptions): GasBudget {
  const logRefusal = createRepeatedErrorLog({ logger, message: 'transactions are refused until the next day (UTC)' });
  const logAlarm = createRepeatedErrorLog({ logger, message: 'deposits take much gas today (UTC)', level: 'error' });
  const today = () => sql`${new Date(now()).toISOString().slice(0, 10)}::date`;

  function report(account: GasAccount): void {
    const { name, isAlarm } = SHARED.get(account) ?? { isAlarm: false, name: isRange(account) ? 'a range' : 'a payer' };
    const fields = isRange(account) ? {} : { account };
    const log = isAlarm ? logAlarm : logRefusal;
    log(new Error(`${name} used up the gas of the day`), { kind: name, fields });
  }

  /** What is counted and on its way, beside the cause itself. What a crash has left on its way ends after its next day. */
  async function readSums(transaction: Transaction<Tables>, cause: string, accounts: readonly string[]) {
    const { rows } = await sql<
      Record<'account' | 'counted' | 'way' | 'payments', string> & { readonly known: boolean }
    >`
      SELECT account, coalesce(sum(gas) FILTER (WHERE day = ${today()}), 0)::text AS counted,
        coalesce(sum(on_its_way) FILTER (WHERE cause <> ${cause}), 0)::text AS way,
        count(*) FILTER (WHERE on_its_way > 0 AND cause <> ${cause} AND starts_with(cause, ${PAYMENT}))::text AS payments,
        bool_or(cause = ${cause} AND on_its_way > 0) AS known
      FROM ledger.spent_gas WHERE network = ${network} AND account = ANY (${accounts}::text[])
        AND day >= ${today()} - 1 GROUP BY account`.execute(transaction);
    const toSums = (row: (typeof rows)[number]): Sums => ({
      counted: BigInt(row.counted),
      onItsWay: BigInt(row.way),
      payments: Number(row.payments),
      isKnown: row.known,
    });
    const byAccount = new Map(rows.map((row) => [row.account, toSums(row)]));
    return (account: GasAccount) => byAccount.get(account.toLowerCase()) ?? NOTHING;
  }

  async function reserveIn(
    transaction: Transaction<Tables>,
    { cause, accounts, limit, atOnce = Number.POSITIVE_INFINITY }: GasRequest,
  ): Promise<Reservation> {
    const names = accounts.map((account) => account.toLowerCase());
    // A copy that hangs must not hold the connections of the others.
    await sql`SET LOCAL lock_timeout = '2s'`.execute(transaction);
    // Of two copies that reserve at once, the second sees what the first has reserved.
    await sql`SELECT pg_advisory_xact_lock(hashtextextended('ledger.spent_gas/' || ${network} || '/' || name, 0))
      FROM unnest(${names}::text[]) AS name`.execute(transaction);
    const sumsOf = await readSums(transaction, cause, names);
    const isOver = (account: GasAccount, more: bigint) => sumsOf(account).counted + more + limit > mostOf(account);
    const bounded = accounts.filter((account) => SHARED.get(account)?.isAlarm !== true);
    const usedUp = bounded.find((account) => isOver(account, 0n));
    if (usedUp !== undefined) {
      report(usedUp);
      return 'refused';
    }
    if (bounded.some((account) => isOver(account, sumsOf(account).onItsWay))) return 'full';
    if (sumsOf(defined(accounts[0])).payments >= atOnce) return 'full';
    for (const account of accounts) if (isOver(account, sumsOf(account).onItsWay)) report(account);
    await sql`INSERT INTO ledger.spent_gas AS s (network, cause, account, day, gas, on_its_way)
      SELECT ${network}, ${cause}, name, ${today()}, 0, ${limit}::bigint FROM unnest(${names}::text[]) AS name
      ON CONFLICT ON CONSTRAINT spent_gas_pkey DO UPDATE SET day = excluded.day,
        on_its_way = greatest(s.on_its_way, excluded.on_its_way)`.execute(transaction);
    return accounts.some((account) => sumsOf(account).isKnown) ? 'known' : 'new';
  }

  async function spentBy(accounts: readonly GasAccount[]) {
    const { rows } = await sql<{ readonly account: string; readonly gas: string }>`
      SELECT account, sum(gas)::text AS gas FROM ledger.spent_gas WHERE network = ${network} AND day = ${today()}
        AND account = ANY (${accounts.map((account) => account.toLowerCase())}::text[]) GROUP BY account`.execute(
      database,
    );
    const byAccount = new Map(rows.map(({ account, gas }) => [account, BigInt(gas)]));
    return (account: GasAccount) => byAccount.get(account.toLowerCase()) ?? 0n;
  }
  async function readUsedUp(): Promise<ReadonlySet<string>> {
    const { rows } = await sql<{ readonly account: string }>`
      SELECT account FROM ledger.spent_gas WHERE network = ${network} AND day = ${today()} AND account LIKE '0x%'
        GROUP BY account HAVING sum(gas) > ${MAX_OF_PAYER - GAS_PER_SETTLEMENT}::bigint`.execute(database);
    return new Set(rows.map(({ account }) => account));
  }
  const usedUp = createKept(readUsedUp);

  return {
    async reserve(request) {
      if (request.accounts.length === 0) return 'new';
      return database.transaction().execute((transaction) => reserveIn(transaction, request));
    },
    async end(cause, gas, ofCode) {
      const isSpared = ofCode === false;
      const ofCause = sql`network = ${network} AND cause = ${cause}`;
      await sql`
        WITH ended AS (
          SELECT account, gas + CASE WHEN account = 'code' AND ${isSpared}::boolean THEN 0
              ELSE least(${gas}::bigint, on_its_way) END AS total
            FROM ledger.spent_gas WHERE ${ofCause} AND on_its_way > 0 FOR UPDATE
        ), deleted AS (
          DELETE FROM ledger.spent_gas s USING ended e WHERE ${ofCause} AND s.account = e.account AND e.total = 0
        ), counted AS (
          UPDATE ledger.spent_gas s SET gas = e.total, on_its_way = 0, day = ${today()}
            FROM ended e WHERE ${ofCause} AND s.account = e.account AND e.total > 0
        )
        INSERT INTO ledger.spent_gas AS s (network, cause, account, day, gas, on_its_way)
          SELECT ${network}, ${cause}, 'code', ${today()}, ${gas}::bigint, 0
          WHERE ${ofCode === true}::boolean AND EXISTS (SELECT FROM ended)
            AND NOT EXISTS (SELECT FROM ended WHERE account = 'code')
          ON CONFLICT ON CONSTRAINT spent_gas_pkey DO UPDATE SET gas = s.gas + excluded.gas, day = excluded.day`.execute(
        database,
      );
    },
    async lose(cause, accounts, gas) {
      await sql`INSERT INTO ledger.spent_gas (network, cause, account, day, gas, on_its_way)
        SELECT ${network}, ${cause}, lower(a.account), ${today()}, ${gas}::bigint, 0
        FROM unnest(${[...accounts]}::text[]) AS a(account) ON CONFLICT DO NOTHING`.execute(database);
    },
    async hasRoom(accounts, gas) {
      const spent = await spentBy(accounts);
      const over = accounts.find(
        (account) => SHARED.get(account)?.isAlarm !== true && spent(account) + gas > mostOf(account),
      );
      if (over !== undefined) report(over);
      return over === undefined;
    },
    spentBy,
    isUsedUp: async (payer) => (await usedUp()).has(payer.toLowerCase()),
    async forget() {
      await sql`DELETE FROM ledger.spent_gas WHERE network = ${network}
        AND (day < ${today()} - 7 OR (day < ${today()} AND starts_with(account, 'range:')))`.execute(database);
    },
  };
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
