import { type AcceptedDatabase, acceptDatabase } from '../../../../services/store/accept-database.ts';
import { type DatabaseIdentity, RESTORED, readDatabaseIdentity } from '../../../../services/store/database-identity.ts';
import { preparationFor } from '../../../../services/store/preparation-sql.ts';
import { databaseUrlOf } from '../../../launch/settings.ts';
import { withDatabase } from '../stores/operator-database.ts';
import { CommandError, parseOptions, type Terminal } from '../terminal/command.ts';
import { operatorOf, requireReason } from '../terminal/operator.ts';
import { toJson } from '../terminal/options.ts';

const USAGE = `usage: npm run tollhouse -- database prepare
       npm run tollhouse -- database status [--json]
       npm run tollhouse -- database accept --reason TEXT [--force] [--json]
       npm run tollhouse -- database accept --reason TEXT --complete [--json]`;

const OPTIONS = {
  json: { type: 'boolean', default: false },
  reason: { type: 'string' },
  complete: { type: 'boolean', default: false },
  force: { type: 'boolean', default: false },
} as const;

/** `database prepare|status|accept`: how to make the database, whether it was restored, the decision to go on with it. */
export async function database([action, ...args]: readonly string[], terminal: Terminal): Promise<void> {
  if (action === 'prepare') prepare(args, terminal);
  else if (action === 'status') await status(args, terminal);
  else if (action === 'accept') await accept(args, terminal);
  else throw new CommandError(USAGE, 2);
}

function prepare(args: readonly string[], { environment, say }: Terminal): void {
  parseOptions(args, {}, USAGE);
  const url = databaseUrlOf(environment);
  if (url === undefined) throw new CommandError('set DATABASE_URL to the database that Tollhouse will use');
  say(preparationFor(url));
}

async function status(args: readonly string[], terminal: Terminal): Promise<void> {
  const { json } = parseOptions(args, { json: OPTIONS.json }, USAGE);
  const identity = await withDatabase(terminal, readDatabaseIdentity);
  const isRestored = wasRestored(identity);
  if (json) terminal.say(toJson({ ...identity, isRestored }));
  else terminal.say(`recorded  ${identity.recorded}\ncurrent   ${identity.current}`);
  if (isRestored) throw new CommandError(RESTORED);
}

async function accept(args: readonly string[], terminal: Terminal): Promise<void> {
  const { json, reason, complete, force } = parseOptions(args, OPTIONS, USAGE);
  if (complete && force) throw new CommandError(USAGE, 2);
  if (!force && !wasRestored(await withDatabase(terminal, readDatabaseIdentity)))
    throw new CommandError('not accepted: this database is the one that is recorded, so there is nothing to accept');
  const by = { operator: operatorOf(terminal), reason: requireReason(reason) };
  const accepted = await withDatabase(terminal, (open) => acceptDatabase(open, { ...by, isComplete: complete }));
  terminal.say(json ? toJson(accepted) : conclusionOf(accepted));
}

const wasRestored = ({ recorded, current }: DatabaseIdentity) => recorded !== current;

function conclusionOf({ identity, logSuffix, logSize }: AcceptedDatabase): string {
  if (logSuffix === undefined) return `Accepted: database ${identity}, with every commit.`;
  return (
    `Accepted: database ${identity}. The log of proofs has ${logSize} leaves, and its name ends with /${logSuffix} now. ` +
    'Run payments reconcile next, before any refund.'
  );
}
