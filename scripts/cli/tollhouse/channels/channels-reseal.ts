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
  const { keyId, resealed, unreadable, left } = result;
  if (json) terminal.say(JSON.stringify(result));
  else terminal.say(`${resealed} vouchers are sealed anew with the key ${keyId}`);
  if (unreadable.length > 0) {
    throw new CommandError(`the vouchers of these channels do not decrypt: ${unreadable.join(', ')}`);
  }
  if (left > 0) {
    throw new CommandError(
      `RETENTION_KEY_MISSING: ${left} vouchers are sealed with other keys. Add missing keys to RETENTION_KEYS, check that every back office has the new first key, and repeat`,
    );
  }
});
