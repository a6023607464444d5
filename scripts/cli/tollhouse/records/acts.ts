import { findBrokenAct, listActs } from '../../../../services/store/operator-acts.ts';
import { withDatabase } from '../stores/operator-database.ts';
import { CommandError, parseOptions, type Terminal } from '../terminal/command.ts';
import { readLimit, toJson } from '../terminal/options.ts';

const USAGE = 'usage: npm run tollhouse -- acts [--subject ID] [--limit N] [--json]';
const OPTIONS = {
  subject: { type: 'string' },
  limit: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

/** `acts`. Prints the audit trail, the newest act first, and fails if an act was changed or is missing. */
export async function acts(args: readonly string[], terminal: Terminal): Promise<void> {
  const { subject, json, ...values } = parseOptions(args, OPTIONS, USAGE);
  const limit = readLimit(values.limit);
  await withDatabase(terminal, async (database) => {
    const found = await listActs(database, { subject, limit });
    if (json) terminal.say(toJson(found));
    else {
      for (const { sequence, actedAt, operator, action, subject: of, reason, detail } of found) {
        terminal.say(`${sequence}  ${actedAt.toISOString()}  ${operator}  ${action}  ${of}  ${detail}  ${reason}`);
      }
    }
    const broken = await findBrokenAct(database);
    if (broken !== undefined)
      throw new CommandError(`the audit trail is broken: act ${broken} was changed or is missing`);
  });
}
