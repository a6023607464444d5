import { type ContinuedLog, continueLog } from '../../../../services/store/continue-log.ts';
import { isLogOpen, LOG_CLOSED, readLogEpoch } from '../../../../services/store/log-epoch.ts';
import { withDatabase } from '../stores/operator-database.ts';
import { CommandError, parseOptions, type Terminal } from '../terminal/command.ts';
import { operatorOf, requireReason } from '../terminal/operator.ts';
import { toJson } from '../terminal/options.ts';

const USAGE = `usage: npm run tollhouse -- proofs status [--json]
       npm run tollhouse -- proofs accept --reason TEXT [--complete | --force] [--json]`;

const OPTIONS = {
  json: { type: 'boolean', default: false },
  reason: { type: 'string' },
  complete: { type: 'boolean', default: false },
  force: { type: 'boolean', default: false },
} as const;

/** `proofs status|accept`: whether a restore has closed the log of proofs, and the decision to go on with it. */
export async function proofs([action, ...args]: readonly string[], terminal: Terminal): Promise<void> {
  if (action === 'status') await status(args, terminal);
  else if (action === 'accept') await accept(args, terminal);
  else throw new CommandError(USAGE, 2);
}

async function status(args: readonly string[], terminal: Terminal): Promise<void> {
  const { json } = parseOptions(args, { json: OPTIONS.json }, USAGE);
  const epoch = await withDatabase(terminal, readLogEpoch);
  const isOpen = isLogOpen(epoch);
  if (json) terminal.say(toJson({ ...epoch, isOpen }));
  else terminal.say(`recorded  ${epoch.recorded}\ncurrent   ${epoch.current}`);
  if (!isOpen) throw new CommandError(LOG_CLOSED);
}

async function accept(args: readonly string[], terminal: Terminal): Promise<void> {
  const { json, reason, complete: isComplete, force: isForced } = parseOptions(args, OPTIONS, USAGE);
  if (isComplete && isForced) throw new CommandError(USAGE, 2);
  const options = { operator: operatorOf(terminal), reason: requireReason(reason), isComplete, isForced };
  const continued = await withDatabase(terminal, (database) => continueLog(database, options));
  if (continued === undefined) throw new CommandError('not accepted: the log of proofs is open');
  terminal.say(json ? toJson(continued) : conclusionOf(continued));
}

function conclusionOf({ identity, logSuffix, logSize }: ContinuedLog): string {
  const accepted = `Accepted: the log of proofs has ${logSize} leaves in database ${identity}`;
  if (logSuffix === undefined) return `${accepted}, and keeps its name.`;
  return `${accepted}, and its name ends with /${logSuffix} now. Publish its keys again.`;
}
