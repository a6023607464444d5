import { deleteBodiesOfKey } from '../../../../services/backoffice/retention/delete-bodies-of-key.ts';
import { describeRows, type KeyUse, readKeyUses } from '../../../../services/backoffice/retention/key-uses.ts';
import type { Database } from '../../../../services/store/database.ts';
import { type Command, CommandError } from '../../terminal/command.ts';
import { operatorOf, requireReason } from '../../terminal/operator.ts';
import { withDatabase } from '../stores/operator-database.ts';
import { named } from './retention-environment.ts';

/** `retention delete`. Deletes the bodies that are sealed with a key. */
export const deleteBodies: Command = named(async (terminal, { json, reason, key = '' }) => {
  const by = { operator: operatorOf(terminal), reason: requireReason(reason) };
  const { deleted, left } = await withDatabase(terminal, async (database) => {
    if (!hasBodies(await usesOf(database, key)))
      throw new CommandError(`NOT_FOUND: no body is sealed with the key ${key}`);
    return { deleted: await deleteBodiesOfKey(database, key, by), left: await usesOf(database, key) };
  });
  if (json) terminal.say(JSON.stringify({ keyId: key, deleted, left }));
  else {
    terminal.say(`the bodies of ${deleted} calls are deleted`);
    for (const use of left) terminal.say(`${use.variable} is still needed: ${describeRows(use)}`);
  }
  if (hasBodies(left)) {
    throw new CommandError(
      `a back office still seals with the key ${key}: restart it with another first key, and repeat`,
    );
  }
});

const usesOf = async (database: Database, key: string) =>
  (await readKeyUses(database)).filter(({ keyId }) => keyId === key);

const hasBodies = (uses: readonly KeyUse[]) => uses.some(({ rows }) => 'bodies' in rows || 'held bodies' in rows);
