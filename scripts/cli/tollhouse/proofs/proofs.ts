import { type ContinuedLog, continueLog } from '../../../../services/store/continue-log.ts';
import { isLogOpen, LOG_CLOSED, readLogEpoch } from '../../../../services/store/log-epoch.ts';
import { type Command, CommandError } from '../../terminal/command.ts';
import { operatorOf, requireReason } from '../../terminal/operator.ts';
import { toJson } from '../../terminal/options.ts';
import { withDatabase } from '../stores/operator-database.ts';

/** `proofs status`: whether a restore has closed the log of proofs. */
export const showLog: Command = async (terminal, { json }) => {
  const epoch = await withDatabase(terminal, readLogEpoch);
  const isOpen = isLogOpen(epoch);
  if (json) terminal.say(toJson({ ...epoch, isOpen }));
  else terminal.say(`recorded  ${epoch.recorded}\ncurrent   ${epoch.current}`);
  if (!isOpen) throw new CommandError(LOG_CLOSED);
};

/** `proofs accept`: the decision to go on with the log. */
export const acceptLog: Command = async (terminal, { json, reason, complete = false, force = false }) => {
  const options = {
    operator: operatorOf(terminal),
    reason: requireReason(reason),
    isComplete: complete,
    isForced: force,
  };
  const continued = await withDatabase(terminal, (database) => continueLog(database, options));
  if (continued === undefined) throw new CommandError('not accepted: the log of proofs is open');
  terminal.say(json ? toJson(continued) : conclusionOf(continued));
};

function conclusionOf({ identity, logSuffix, logSize }: ContinuedLog): string {
  const accepted = `Accepted: the log of proofs has ${logSize} leaves in database ${identity}`;
  if (logSuffix === undefined) return `${accepted}, and keeps its name.`;
  return `${accepted}, and its name ends with /${logSuffix} now. Publish its keys again.`;
}
