import { sql, type Transaction } from 'kysely';
import type { Hex } from 'viem';
import { atMostOnce } from '../../platform/at-most-once.ts';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';
import type { Tables } from '../../store/tables.ts';
import type { Context } from '../payment/context.ts';

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

export type GasBudget = ReturnType<typeof createGasBudget>;

/** Whether code used up the gas of a transaction: a call that the token refuses uses little. */
export const isBurned = ({ used, limit }: { readonly used: bigint; readonly limit: bigint }): boolean =>
  used * 4n > limit * 3n;

const PAYMENT = 'payment:';
/** For what the gas of a payment that is settled alone is spent. */
export const causeOf = ({ payer, nonce }: { readonly payer: Hex; readonly nonce: Hex }): string =>
  `${PAYMENT}${payer}:${nonce}`.toLowerCase();

/** The gas limit of a settlement. A transferWithAuthorization of USDC takes 60,000 to 90,000. */
export const GAS_PER_SETTLEMENT = 120_000n;

interface Bound {
  readonly name: string;
  readonly most: bigint;
  /** Whether more than `most` is logged and not refused. */
  readonly isAlarm: boolean;
}
const SHARED: ReadonlyMap<string, Bound> = new Map([
  // At a fee of 0.01 gwei, this is 0.0005 ether.
  ['code', { name: 'payers with code', most: 50_000_000n, isAlarm: false }],
  // More than a hundred refunds. Anyone can deposit, fail a call, get everything back and pass it on to another wallet.
  ['uncharged', { name: 'refunds of channels that were never charged', most: 20_000_000n, isAlarm: false }],
  // About 700 deposits.
  ['deposits', { name: 'all deposits', most: 100_000_000n, isAlarm: true }],
]);
/** More than a hundred deposits. */
const PAYER: Bound = { name: 'a payer', most: 20_000_000n, isAlarm: false };
const RANGE: Bound = { name: 'an address range', most: 20_000_000n, isAlarm: false };
const boundOf = (account: string): Bound => SHARED.get(account) ?? (account.startsWith('range:') ? RANGE : PAYER);
export const mostOf = (account: GasAccount): bigint => boundOf(account).most;

/** What is counted today of many payers together. */
export interface SharedGas {
  readonly of: string;
  readonly spent: bigint;
  readonly most: bigint;
  readonly isAlarm: boolean;
}

export async function readSharedGas({ spentBy }: Pick<GasBudget, 'spentBy'>): Promise<readonly SharedGas[]> {
  const spent = await spentBy([...SHARED.keys()]);
  return [...SHARED].map(([account, { name: of, ...bound }]) => ({ of, spent: spent(account), ...bound }));
}

/** For how long the payers without gas are remembered. */
const USED_UP_MS = 1000;

/**
 * Bounds the gas of a UTC day that no payment pays for: of deposits, refunds and failed settlements. The token asks the
 * code of a payer with code whether it signed (ERC-1271, EIP-7702), and this code may say yes in a simulation and no in the
 * transaction. What is counted plus the limits of what is on its way stays within each bound, over all copies of the
 * service. Methods throw when the database does not answer.
 */
export function createGasBudget({
  database,
  network,
  now,
  logger,
}: Pick<Context, 'database' | 'network' | 'now' | 'logger'>) {
  const logRefusal = createRepeatedErrorLog({ logger, message: 'transactions are refused until the next day (UTC)' });
  const logAlarm = createRepeatedErrorLog({ logger, message: 'deposits take much gas today (UTC)', level: 'error' });
  const today = () => sql`${new Date(now()).toISOString().slice(0, 10)}::date`;

  function report(account: string): void {
    const { name, isAlarm } = boundOf(account);
    const log = isAlarm ? logAlarm : logRefusal;
    // The log is kept longer than the hash of a range.
    const fields = account.startsWith('range:') ? {} : { account };
    log(new Error(`${name} used up the gas of the day`), { kind: name, fields });
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
    // What a crash has left on its way holds gas until the end of the next day.
    const { rows } = await sql<
      Record<'name' | 'counted' | 'others' | 'payments', string> & { readonly known: boolean }
    >`
      SELECT name, coalesce(sum(gas) FILTER (WHERE day = ${today()}), 0)::text AS counted,
        coalesce(sum(on_its_way) FILTER (WHERE cause <> ${cause}), 0)::text AS others,
        count(*) FILTER (WHERE on_its_way > 0 AND cause <> ${cause} AND starts_with(cause, ${PAYMENT}))::text AS payments,
        coalesce(bool_or(cause = ${cause} AND on_its_way > 0), false) AS known
      FROM unnest(${names}::text[]) AS name LEFT JOIN ledger.spent_gas
        ON network = ${network} AND account = name AND day >= ${today()} - 1 GROUP BY name`.execute(transaction);
    const sums = rows.map(({ name, counted, others }) => {
      const { most, isAlarm } = boundOf(name);
      const least = BigInt(counted) + limit;
      return { name, isAlarm, isUsedUp: least > most && !isAlarm, isFull: least + BigInt(others) > most };
    });
    const usedUp = sums.find(({ isUsedUp }) => isUsedUp);
    if (usedUp !== undefined) {
      report(usedUp.name);
      return 'refused';
    }
    if (sums.some(({ isFull, isAlarm }) => isFull && !isAlarm)) return 'full';
    if (rows.some(({ name, payments }) => name === names[0] && Number(payments) >= atOnce)) return 'full';
    for (const { name, isFull } of sums) if (isFull) report(name);
    await sql`INSERT INTO ledger.spent_gas AS s (network, cause, account, day, gas, on_its_way)
      SELECT ${network}, ${cause}, name, ${today()}, 0, ${limit}::bigint FROM unnest(${names}::text[]) AS name
      ON CONFLICT ON CONSTRAINT spent_gas_pkey DO UPDATE SET day = excluded.day,
        on_its_way = greatest(s.on_its_way, excluded.on_its_way)`.execute(transaction);
    return rows.some(({ known }) => known) ? 'known' : 'new';
  }

  async function spentBy(accounts: readonly string[]) {
    const { rows } = await sql<{ readonly account: string; readonly gas: string }>`
      SELECT account, sum(gas)::text AS gas FROM ledger.spent_gas WHERE network = ${network} AND day = ${today()}
        AND account = ANY (${accounts.map((account) => account.toLowerCase())}::text[]) GROUP BY account`.execute(
      database,
    );
    const byAccount = new Map(rows.map(({ account, gas }) => [account, BigInt(gas)]));
    return (account: string) => byAccount.get(account.toLowerCase()) ?? 0n;
  }

  async function readUsedUp(): Promise<ReadonlySet<string>> {
    const { rows } = await sql<{ readonly account: string }>`
      SELECT account FROM ledger.spent_gas WHERE network = ${network} AND day = ${today()} AND account LIKE '0x%'
        GROUP BY account HAVING sum(gas) > ${PAYER.most - GAS_PER_SETTLEMENT}::bigint`.execute(database);
    return new Set(rows.map(({ account }) => account));
  }
  const usedUp = atMostOnce({ freshMs: USED_UP_MS, monotonicMs: () => performance.now() }, readUsedUp);

  return {
    /** Notes that a transaction is on its way, before it is sent. Stores nothing if it does not fit. */
    async reserve(request: GasRequest): Promise<Reservation> {
      if (request.accounts.length === 0) return 'new';
      return database.transaction().execute((transaction) => reserveIn(transaction, request));
    },
    /**
     * Records the outcome of what is on its way. `gas` is counted, up to the limit, for the accounts of the cause. A repeat
     * does nothing. Gas that a payment paid for is 0n.
     * @param ofCode whether all payers with code lost it; as reserved by default
     */
    async end(cause: string, gas: bigint, ofCode?: boolean): Promise<void> {
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
    /** Counts gas that was lost without a reservation, once for a cause and account. */
    async lose(cause: string, accounts: readonly GasAccount[], gas: bigint): Promise<void> {
      await sql`INSERT INTO ledger.spent_gas (network, cause, account, day, gas, on_its_way)
        SELECT ${network}, ${cause}, lower(a.account), ${today()}, ${gas}::bigint, 0
        FROM unnest(${[...accounts]}::text[]) AS a(account) ON CONFLICT DO NOTHING`.execute(database);
    },
    /** Whether so much gas fits beside what is counted. */
    async hasRoom(accounts: readonly GasAccount[], gas: bigint): Promise<boolean> {
      const spent = await spentBy(accounts);
      const over = accounts.find((each) => !boundOf(each).isAlarm && spent(each) + gas > mostOf(each));
      if (over !== undefined) report(over);
      return over === undefined;
    },
    /** What is counted today. */
    spentBy,
    /** Whether a payer has no gas left for a settlement, as of a second ago: honest payers must not cost a query each. */
    isUsedUp: async (payer: Hex): Promise<boolean> => (await usedUp()).has(payer.toLowerCase()),
    /** Deletes what is older than a week, and the address ranges of earlier days. */
    async forget(): Promise<void> {
      await sql`DELETE FROM ledger.spent_gas WHERE network = ${network}
        AND (day < ${today()} - 7 OR (day < ${today()} AND starts_with(account, 'range:')))`.execute(database);
    },
  };
}
