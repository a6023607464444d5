import { RestoreRefusedError } from '../../../../services/ledger/restore/prepare.ts';
import { planRestore, type RestoreReport, restoreLedger } from '../../../../services/ledger/restore/restore.ts';
import { type AcceptedDatabase, acceptDatabase } from '../../../../services/store/accept-database.ts';
import { type DatabaseIdentity, RESTORED, readDatabaseIdentity } from '../../../../services/store/database-identity.ts';
import { preparationFor } from '../../../../services/store/preparation-sql.ts';
import { databaseUrlOf } from '../../../launch/settings.ts';
import { describeRestore } from '../credit/ledger-output.ts';
import { withLedger } from '../stores/ledger-stores.ts';
import { withDatabase } from '../stores/operator-database.ts';
import { CommandError, parseOptions, type Terminal } from '../terminal/command.ts';
import { operatorOf, requireReason } from '../terminal/operator.ts';
import { toJson } from '../terminal/options.ts';

const USAGE = `usage: npm run tollhouse -- database prepare
       npm run tollhouse -- database status [--json]
       npm run tollhouse -- database accept --plan [--force] [--json]
       npm run tollhouse -- database accept --reason TEXT [--release-lost-tail] [--force] [--json]
       npm run tollhouse -- database accept --reason TEXT --complete [--json]`;

const OPTIONS = {
  json: { type: 'boolean', default: false },
  plan: { type: 'boolean', default: false },
  reason: { type: 'string' },
  'release-lost-tail': { type: 'boolean', default: false },
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
  const {
    json,
    plan,
    reason,
    complete,
    force,
    'release-lost-tail': releaseLostTail,
  } = parseOptions(args, OPTIONS, USAGE);
  if (complete && (plan || releaseLostTail || force)) throw new CommandError(USAGE, 2);
  if (!force && !wasRestored(await withDatabase(terminal, readDatabaseIdentity)))
    throw new CommandError('not accepted: this database is the one that is recorded, so there is nothing to accept');
  const isDatabaseRestored = true;
  if (plan) {
    const plans = await eachLedger(terminal, (stores) => planRestore(stores, { isDatabaseRestored }));
    say(terminal, json, { ledgers: plans });
    return;
  }
  const by = { operator: operatorOf(terminal), reason: requireReason(reason) };
  // The ledgers come first. If this command ends early, the database is not accepted, and another run does all again.
  const ledgers = complete
    ? []
    : await eachLedger(terminal, (stores) => restoreLedger(stores, { ...by, releaseLostTail, isDatabaseRestored }));
  const accepted = await withDatabase(terminal, (open) => acceptDatabase(open, { ...by, isComplete: complete }));
  say(terminal, json, { ledgers, accepted });
}

const wasRestored = ({ recorded, current }: DatabaseIdentity) => recorded !== current;

/** Restores, or plans to restore, the ledger of each network that the database knows. */
async function eachLedger(
  terminal: Terminal,
  work: (stores: Parameters<typeof planRestore>[0]) => Promise<RestoreReport>,
): Promise<readonly RestoreReport[]> {
  const networks = await withDatabase(terminal, (open) =>
    open.selectFrom('ledger_witness').select('network').orderBy('network').execute(),
  );
  const reports: RestoreReport[] = [];
  for (const { network } of networks) {
    try {
      reports.push(await withLedger(terminal, network, work));
    } catch (error) {
      if (!(error instanceof RestoreRefusedError)) throw error;
      throw new CommandError(`not accepted: the ledger of ${network}: ${error.message}`);
    }
  }
  return reports;
}

interface Outcome {
  readonly ledgers: readonly RestoreReport[];
  /** Absent in a plan. */
  readonly accepted?: AcceptedDatabase;
}

function say(terminal: Terminal, json: boolean, outcome: Outcome): void {
  const lines = json ? [toJson(outcome)] : [...outcome.ledgers.flatMap(describeRestore), conclusionOf(outcome)];
  for (const line of lines) terminal.say(line);
}

function conclusionOf({ accepted }: Outcome): string {
  if (accepted === undefined) return 'The database is not accepted yet.';
  const { identity, logSuffix, logSize } = accepted;
  if (logSuffix === undefined) return `Accepted: database ${identity}, with every commit.`;
  return (
    `Accepted: database ${identity}. The log of proofs has ${logSize} leaves, and its name ends with /${logSuffix} now. ` +
    'Run payments reconcile next, before any refund.'
  );
}
