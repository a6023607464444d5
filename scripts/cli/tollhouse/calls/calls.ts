import { type CallFreeze, readCallFreeze, setCallFreeze } from '../../../../services/store/call-freeze.ts';
import { forgetFingerprintKey } from '../../../../services/store/fingerprint-key.ts';
import type { Command } from '../../terminal/command.ts';
import { operatorOf, requireReason } from '../../terminal/operator.ts';
import { withDatabase } from '../stores/operator-database.ts';

/** `calls status`. */
export const showCalls: Command = async (terminal) =>
  terminal.say(describe(await withDatabase(terminal, readCallFreeze)));

/** `calls freeze|unfreeze`. Stops new paid and trial calls in every gateway, or takes them again. Calls that run, and settlements, go on. */
const setFreeze =
  (isFrozen: boolean): Command =>
  async (terminal, { reason }) => {
    const by = { operator: operatorOf(terminal), reason: requireReason(reason) };
    terminal.say(describe(await withDatabase(terminal, (database) => setCallFreeze(database, isFrozen, by))));
  };
export const freezeCalls = setFreeze(true);
export const unfreezeCalls = setFreeze(false);

/** `calls forget-key`: after a loss of FINGERPRINT_KEY, the key that a gateway has next counts. */
export const forgetKey: Command = async (terminal, { reason }) => {
  const by = { operator: operatorOf(terminal), reason: requireReason(reason) };
  const wasKnown = await withDatabase(terminal, (database) => forgetFingerprintKey(database, by));
  terminal.say(wasKnown ? 'the FINGERPRINT_KEY of the next gateway counts' : 'no key was known');
};

function describe({ isFrozen, changed }: CallFreeze): string {
  const state = isFrozen ? 'frozen: gateways refuse new paid and trial calls' : 'not frozen';
  if (changed === undefined) return state;
  return `${state}\nsince ${changed.at.toISOString()}, by ${changed.operator}: ${changed.reason}`;
}
