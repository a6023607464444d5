import { auditLedger } from '../../../../services/ledger/store/audit.ts';
import { type Command, CommandError } from '../../terminal/command.ts';
import { toJson } from '../../terminal/options.ts';
import { withLedgers } from '../stores/ledger-inspection.ts';

/** `ledger audit`: checks the books of wallets and channels. Safe during live traffic. */
export const auditBooks: Command = async (terminal, { json }) => {
  const reports = await withLedgers(terminal, async (of) => ({ network: of.network, ...(await auditLedger(of)) }));
  if (json) terminal.say(toJson(reports));
  else {
    for (const { network, wallets, channels, pending, violations } of reports) {
      terminal.say(`${network}: ${wallets} wallets, ${channels} channels, ${pending} open reservations`);
      for (const { invariant, subject, detail } of violations) terminal.say(`${invariant}: ${subject}: ${detail}`);
    }
  }
  const found = reports.reduce((sum, { violations }) => sum + violations.length, 0);
  if (found > 0) throw new CommandError(`the audit found ${found} differences`);
  if (!json) terminal.say('no differences');
};
