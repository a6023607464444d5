import { sql } from 'kysely';
import type { Database } from '../../../../services/store/database.ts';
import { recordAct } from '../../../../services/store/operator-acts.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { withDatabase } from '../stores/operator-database.ts';
import { CommandError, expectArguments, type Terminal, UUID } from '../terminal/command.ts';
import { operatorOf } from '../terminal/operator.ts';
import { readListing, toJson } from '../terminal/options.ts';

const USAGE = 'obligations list [--limit N] [--json] | obligations retry RECORD_ID';

/**
 * `obligations list|retry`. An obligation is a paid call whose result is retained and whose payment is not settled yet.
 * The payments service asks again at growing intervals, up to an hour; `retry` makes it ask now.
 */
export async function obligations(args: readonly string[], terminal: Terminal): Promise<void> {
  const { positionals, limit, json } = readListing(args, USAGE);
  const [action, ...rest] = positionals;
  if (action === 'retry') return retry(rest, terminal);
  if (action !== 'list') throw new CommandError(`usage: npm run tollhouse -- ${USAGE}`, 2);
  expectArguments(rest, 0, USAGE);
  const found = await withDatabase(terminal, (database) => selectObligations(database, limit));
  if (json) return terminal.say(toJson(found));
  for (const { record_id, attempts, due_at, payer, amount, network } of found) {
    terminal.say(`${record_id}  ${network}  ${payer}  ${amount}  attempts ${attempts}  next ${due_at.toISOString()}`);
  }
}

const selectObligations = (database: Database, limit: number) =>
  database
    .selectFrom('ledger.payment_claim')
    .select(['claim_id as record_id', 'tries as attempts', 'due_at', 'network', 'payer', 'amount'])
    .where('due_at', 'is not', null)
    .$narrowType<{ due_at: Date }>()
    .orderBy('due_at')
    .limit(limit)
    .execute();

async function retry(args: readonly string[], terminal: Terminal): Promise<void> {
  const recordId = defined(expectArguments(args, 1, USAGE)[0]);
  if (!UUID.test(recordId)) throw new CommandError('RECORD_ID is an id that "obligations list" prints', 2);
  const isFound = await withDatabase(terminal, (database) =>
    database.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('ledger.payment_claim')
        .set({ due_at: sql`ledger.clock()` })
        .where('claim_id', '=', recordId)
        .where('due_at', 'is not', null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      const act = { operator: operatorOf(terminal), action: 'obligations.retry', subject: recordId };
      await recordAct(transaction, { ...act, reason: 'try now', detail: {} });
      return true;
    }),
  );
  if (!isFound) throw new CommandError(`there is no open obligation ${recordId}`);
  terminal.say(`${recordId} is due now`);
}
