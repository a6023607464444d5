import { deleteBodiesOfKey } from '../../../../services/backoffice/retention/delete-bodies-of-key.ts';
import { describeRows, readKeyUses } from '../../../../services/backoffice/retention/key-uses.ts';
import { type Command, CommandError } from '../../terminal/command.ts';
import { operatorOf, requireReason } from '../../terminal/operator.ts';
import { withDatabase } from '../stores/operator-database.ts';

/** `retention delete`. Deletes the bodies that are sealed with a key. */
export const deleteBodies: Command = async (terminal, { json, reason, key = '' }) => {
  const by = { operator: operatorOf(terminal), reason: requireReason(reason) };
  const { deleted, left } = await withDatabase(terminal, async (database) => ({
    deleted: await deleteBodiesOfKey(database, key, by),
    left: (await readKeyUses(database)).filter(({ keyId }) => keyId === key),
  }));
  if (json) terminal.say(JSON.stringify({ keyId: key, deleted, left }));
  else {
    terminal.say(`the bodies of ${deleted} calls are deleted`);
    for (const use of left) terminal.say(`${use.variable} is still needed: ${describeRows(use)}`);
  }
  if (left.some(({ rows }) => 'bodies' in rows || 'held bodies' in rows)) {
    throw new CommandError(
      `a back office still seals with the key ${key}: restart it with another first key, and repeat`,
    );
  }
  if (deleted === 0) throw new CommandError(`NOT_FOUND: no body is sealed with the key ${key}`);
};
