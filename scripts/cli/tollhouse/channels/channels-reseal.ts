import { resealVouchers } from '../../../../services/backoffice/channels/reseal-vouchers.ts';
import { type Command, CommandError } from '../../terminal/command.ts';
import { operatorOf, requireReason } from '../../terminal/operator.ts';
import { named, retentionKeysOf } from '../retention/retention-environment.ts';
import { withDatabase } from '../stores/operator-database.ts';

/** `channels reseal`. Seals all vouchers with the first of RETENTION_KEYS. */
export const reseal: Command = named(async (terminal, { json, reason }) => {
  const by = { operator: operatorOf(terminal), reason: requireReason(reason) };
  const keys = retentionKeysOf(terminal);
  const result = await withDatabase(terminal, (database) => resealVouchers({ database, keys }, by));
  const { resealed, unreadable } = result;
  terminal.say(json ? JSON.stringify(result) : `${resealed} vouchers are sealed anew with the key ${keys[0].id}`);
  if (unreadable.length > 0) {
    const channels = unreadable.join(', ');
    throw new CommandError(`the keys of the vouchers of these channels are missing, or other ones: ${channels}`);
  }
});
