import { rekeyBodies } from '../../../../services/backoffice/retention/rekey.ts';
import { createProgress } from '../../../launch/output/progress.ts';
import { type Command, CommandError } from '../../terminal/command.ts';
import { operatorOf, requireReason } from '../../terminal/operator.ts';
import { withDatabase } from '../stores/operator-database.ts';
import { named, retentionKeysOf } from './retention-environment.ts';

/** `retention rekey`. Encrypts all bodies and vouchers with the first of RETENTION_KEYS. */
export const rekey: Command = named(async (terminal, { json, reason }) => {
  const by = { operator: operatorOf(terminal), reason: requireReason(reason) };
  const keys = retentionKeysOf(terminal);
  using progress = createProgress({ title: 'encrypted again' });
  const onRekeyed = (rows: number) => progress.add(rows);
  const result = await withDatabase(terminal, (database) => rekeyBodies({ database, keys, onRekeyed }, by));
  const { keyId, rekeyed, rekeyedVouchers, unreadable, left, unused } = result;
  if (json) terminal.say(JSON.stringify(result));
  else {
    terminal.say(`${rekeyed} calls and ${rekeyedVouchers} vouchers are encrypted again, with key ${keyId}`);
    for (const id of unused) terminal.say(`no call uses key ${id} any more`);
  }
  if (unreadable.length > 0) {
    throw new CommandError(
      `RETAINED_BODY_UNREADABLE: these records do not decrypt with the key of their id: ${unreadable.join(', ')}`,
    );
  }
  if (left.length > 0) {
    const uses = left.map((use) => `${use.keyId} (${use.rows} calls)`).join(', ');
    throw new CommandError(
      `RETENTION_KEY_MISSING: calls still use other keys: ${uses}. Add missing keys to RETENTION_KEYS, and check that every back office has the new first key`,
    );
  }
});
