import { inspectLedger } from '../../../../services/ledger/store/inspection.ts';
import type { Command } from '../../terminal/command.ts';
import { readLimit, toJson } from '../../terminal/options.ts';
import { sayTable } from '../../terminal/table.ts';
import { withLedgers } from '../stores/ledger-inspection.ts';

/**
 * `reservations list`. Prints open reservations of calls. The back office resolves a reservation seconds after its
 * deadline, so one that stays longer means that the back office does not run.
 */
export const reservations: Command = async (terminal, { limit: wanted, json }) => {
  const limit = readLimit(wanted);
  const found = await withLedgers(terminal, async (ledger) => {
    const { network } = ledger;
    const pending = await inspectLedger(ledger).pending(limit);
    return pending.map(({ deadlineMs, ...rest }) => ({
      network,
      ...rest,
      deadline: new Date(deadlineMs).toISOString(),
    }));
  });
  if (json) return terminal.say(toJson(found.flat()));
  const rows = found.flat().map(({ network, reservationId, wallet, operation, amountMicroUsd, deadline }) => {
    return [network, reservationId, wallet, operation, `${amountMicroUsd}`, deadline];
  });
  sayTable(terminal, ['NETWORK', 'RESERVATION', 'ACCOUNT', 'OPERATION', 'MICRO_USD', 'UNTIL'], rows);
};
