import pg from 'pg';
import type { StackAddresses } from '../../kit/stack.ts';
import { withLedger } from '../../kit/stack-ledger.ts';
import { until } from '../../kit/until.ts';

/** The stores of a stack. */
export type Ledger = Pick<StackAddresses, 'databaseUrl' | 'chainUrl'>;

/** Waits until every reservation is resolved, and what became of every payment is known. */
export async function untilQuiet(stack: Ledger): Promise<void> {
  await until(async () => {
    // Makes due what is left to its gateway for some time.
    await query(stack, 'UPDATE ledger.payment_claim SET due_at = clock_timestamp() WHERE due_at IS NOT NULL');
    await query(stack, "UPDATE ledger.reservation SET deadline = clock_timestamp() - interval '1 hour'");
    const owed = await query(stack, 'SELECT FROM ledger.payment_claim WHERE due_at IS NOT NULL');
    return owed.length === 0 && (await withLedger(stack, (ledger) => ledger.audit())).pending === 0;
  });
}

/** Ends the leases of executions whose gateway was killed. They would end by themselves after the operation's time. */
export const endLeases = (stack: Ledger) =>
  query(stack, "UPDATE ledger.payment_claim SET lease_until = '-infinity' WHERE state = 'executing'");

export async function query<Row extends pg.QueryResultRow>(
  { databaseUrl }: Pick<Ledger, 'databaseUrl'>,
  statement: string,
): Promise<readonly Row[]> {
  const client = new pg.Client(databaseUrl);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}
