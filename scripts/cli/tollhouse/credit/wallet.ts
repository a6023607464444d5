import { inspectLedger, type StoredWallet } from '../../../../services/ledger/store/inspection.ts';
import { type Command, CommandError } from '../../terminal/command.ts';
import { toJson } from '../../terminal/options.ts';
import { withLedgers } from '../stores/ledger-inspection.ts';

const ADDRESS = /^0x[0-9a-f]{40}$/i;

/** `wallet show`. Prints the free credit of a wallet, in micro-USD. */
export const wallet: Command = async (terminal, { json }, address) => {
  if (!ADDRESS.test(address)) throw new CommandError('ADDRESS is 0x and 40 hexadecimal digits', 2);
  const accounts = await withLedgers(terminal, async (ledger) => {
    return { network: ledger.network, address, account: await inspectLedger(ledger).wallet(address) };
  });
  if (json) return terminal.say(toJson(accounts));
  for (const { network, account } of accounts) terminal.say(`${network}  ${describe(account)}`);
};

function describe(account: StoredWallet | undefined): string {
  if (account === undefined) return 'no account: the wallet never used its credit';
  const { grantedMicroUsd, balanceMicroUsd, reservedMicroUsd, spentMicroUsd } = account;
  return `granted ${grantedMicroUsd}  balance ${balanceMicroUsd}  reserved ${reservedMicroUsd}  spent ${spentMicroUsd}`;
}
