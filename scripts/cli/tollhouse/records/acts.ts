import { findBrokenAct, listActs } from '../../../../services/store/operator-acts.ts';
import { type Command, CommandError } from '../../terminal/command.ts';
import { readLimit, toJson } from '../../terminal/options.ts';
import { sayTable } from '../../terminal/table.ts';
import { withDatabase } from '../stores/operator-database.ts';

/** `acts`. Prints the audit trail, the newest act first, and fails if an act was changed or is missing. */
export const acts: Command = async (terminal, { subject, json, limit: wanted }) => {
  const limit = readLimit(wanted);
  await withDatabase(terminal, async (database) => {
    const found = await listActs(database, { subject, limit });
    if (json) terminal.say(toJson(found));
    else {
      const rows = found.map(({ sequence, actedAt, operator, action, subject: of, reason, detail }) => {
        return [`${sequence}`, actedAt.toISOString(), operator, action, of, detail, reason];
      });
      sayTable(terminal, ['ACT', 'AT', 'OPERATOR', 'ACTION', 'SUBJECT', 'DETAIL', 'REASON'], rows);
    }
    const broken = await findBrokenAct(database);
    if (broken !== undefined)
      throw new CommandError(`the audit trail is broken: act ${broken} was changed or is missing`);
  });
};
