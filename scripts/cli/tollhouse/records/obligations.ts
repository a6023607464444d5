import { sql } from 'kysely';
import type { Database } from '../../../../services/store/database.ts';
import { recordAct } from '../../../../services/store/operator-acts.ts';
import { type Command, CommandError, UUID } from '../../terminal/command.ts';
import { operatorOf } from '../../terminal/operator.ts';
import { readLimit, toJson } from '../../terminal/options.ts';
import { sayTable } from '../../terminal/table.ts';
import { withDatabase } from '../stores/operator-database.ts';

/** `obligations list`. An obligation is a paid call whose result is retained and whose payment is not settled yet. */
export const listObligations: Command = async (terminal, { limit: wanted, json }) => {
  const limit = readLimit(wanted);
  const found = await withDatabase(terminal, (database) => selectObligations(database, limit));
  if (json) return terminal.say(toJson(found));
  const rows = found.map(({ record_id, attempts, due_at, payer, amount, network }) => {
    return [record_id, network, payer, `${amount}`, `${attempts}`, due_at.toISOString()];
  });
  sayTable(terminal, ['RECORD_ID', 'NETWORK', 'PAYER', 'MICRO_USD', 'ATTEMPTS', 'NEXT'], rows);
};

const selectObligations = (database: Database, limit: number) =>
  database
    .selectFrom('ledger.payment_claim')
    .select(['claim_id as record_id', 'tries as attempts', 'due_at', 'network', 'payer', 'amount'])
    .where('due_at', 'is not', null)
    .$narrowType<{ due_at: Date }>()
    .orderBy('due_at')
    .limit(limit)
    .execute();

/** `obligations retry`. The payments service asks again at growing intervals, up to an hour; this makes it ask now. */
export const retryObligation: Command = async (terminal, _, recordId) => {
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
};
