import { setRevenueFreeze } from '../../../../services/verification/mutations/revenue-freeze.ts';
import type { Command } from '../../terminal/command.ts';
import { operatorOf } from '../../terminal/operator.ts';
import { withDatabase } from '../stores/operator-database.ts';

/**
 * `writes freeze|unfreeze`. Returns when no more writes that move money can be recorded. A freeze stops what is recorded
 * here; it cannot stop what agents do elsewhere.
 */
const setWrites =
  (isFrozen: boolean): Command =>
  async (terminal, { reason = 'none given' }) => {
    // In an emergency, nothing may delay a freeze: its reason is optional.
    const by = { operator: operatorOf(terminal), reason };
    await withDatabase(terminal, (database) => setRevenueFreeze(database, isFrozen, by));
    terminal.say(
      isFrozen
        ? 'Frozen: writes that move money are neither recorded nor advised. Agents can still act elsewhere.'
        : 'Not frozen: writes that move money are recorded again.',
    );
  };
export const freezeWrites = setWrites(true);
export const unfreezeWrites = setWrites(false);
