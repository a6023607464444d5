import { connected } from '../../../kit/owned-database.ts';
import { until } from '../../../kit/until.ts';
import type { OpenLedger } from './store-fixture.ts';

/** What became of a call while another transaction had a lock, and its answer after that. */
export interface Beside<Answer> {
  readonly waits: boolean;
  readonly answer: Answer;
}

/** Makes a call of a ledger while another transaction has a lock, which it has until the call waits for it or has ended. */
export async function beside<Answer>(
  url: string,
  { network }: Pick<OpenLedger, 'network'>,
  [hold, values]: readonly [text: string, values: readonly unknown[]],
  act: () => Promise<Answer>,
  end: 'ROLLBACK' | 'COMMIT' = 'ROLLBACK',
): Promise<Beside<Answer>> {
  return connected(url, async (holder) => {
    await holder.query('BEGIN');
    await holder.query(hold, [...values]);
    let hasEnded = false;
    const acting = act().finally(() => {
      hasEnded = true;
    });
    const waiting = "SELECT FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'";
    const waits = () => connected(url, async (observer) => (await observer.query(waiting, [network])).rowCount === 1);
    const found = await until(async () => (hasEnded ? 'ended' : (await waits()) && 'waits'));
    await holder.query(end);
    return { waits: found === 'waits', answer: await acting };
  });
}

/** The value of a setting in the transaction of a call, which is rolled back. `commit`: how that of the session would wait. */
export function settingDuring(url: string, call: string, name: string, commit = 'on'): Promise<string> {
  return connected(url, async (client) => {
    await client.query(`BEGIN; SET LOCAL synchronous_commit = ${commit}`);
    await client.query(`SELECT ${call}`);
    const { rows } = await client.query<{ value: string }>('SELECT current_setting($1) AS value', [name]);
    await client.query('ROLLBACK');
    return rows.map(({ value }) => value).join();
  });
}
