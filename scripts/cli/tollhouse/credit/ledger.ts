import { auditLedger } from '../../../../services/ledger/store/audit.ts';
import { withLedgers } from '../stores/ledger-inspection.ts';
import { CommandError, parseOptions, type Terminal } from '../terminal/command.ts';
import { toJson } from '../terminal/options.ts';

const USAGE = 'usage: npm run tollhouse -- ledger audit [--json]';
const OPTIONS = { json: { type: 'boolean', default: false } } as const;

/** `ledger audit`: checks the books of wallets and channels. Safe during live traffic. */
export async function ledger([action, ...args]: readonly string[], terminal: Terminal): Promise<void> {
  if (action !== 'audit') throw new CommandError(USAGE, 2);
  const { json } = parseOptions(args, OPTIONS, USAGE);
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
}
