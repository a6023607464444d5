import { parseArgs } from 'node:util';
import { findBrokenAct, listActs } from '../../../services/store/operator-acts.ts';
import { CommandError, type Terminal, withUsage } from './command.ts';
import { withDatabase } from './operator-database.ts';

const USAGE = 'usage: npm run tollhouse -- acts [--subject ID] [--limit N] [--json]';
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 100_000;

/** `acts`. Prints the audit trail, the newest act first, and fails if an act was changed or is missing. */
export async function acts(args: readonly string[], terminal: Terminal): Promise<void> {
  const { subject, limit, json } = readArguments(args);
  await withDatabase(terminal, async (database) => {
    const found = await listActs(database, { subject, limit });
    if (json) terminal.say(JSON.stringify(found.map((act) => ({ ...act, sequence: Number(act.sequence) }))));
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

function readArguments(args: readonly string[]) {
  const { subject, limit, json } = parse(args);
  const count = limit === undefined ? DEFAULT_LIMIT : Number(limit);
  if (!Number.isInteger(count) || count < 1 || count > MAX_LIMIT) {
    throw new CommandError(`--limit is a number from 1 to ${MAX_LIMIT}`, 2);
  }
  return { subject, json, limit: count };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        subject: { type: 'string' },
        limit: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw withUsage(error, USAGE);
  }
}
