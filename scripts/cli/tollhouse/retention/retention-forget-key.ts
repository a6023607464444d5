import { forgetKey } from '../../../../services/backoffice/retention/retention-keys.ts';
import { type Command, CommandError } from '../../terminal/command.ts';
import { operatorOf, requireReason } from '../../terminal/operator.ts';
import { withDatabase } from '../stores/operator-database.ts';

/** `retention forget-key`. After a loss of a key, lets the back office start without it. */
export const forgetRetentionKey: Command = async (terminal, { reason, key = '' }) => {
  const by = { operator: operatorOf(terminal), reason: requireReason(reason) };
  const wasKnown = await withDatabase(terminal, (database) => forgetKey(database, key, by));
  if (!wasKnown) throw new CommandError(`NOT_FOUND: no back office has started with the key ${key}`);
  terminal.say(`the back office starts without the key ${key}; what is sealed with it cannot be read`);
};
