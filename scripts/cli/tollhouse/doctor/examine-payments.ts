import { formatEther } from 'viem';
import type { GasBalance, SharedGas } from '../../../../proto/gen/tollhouse/payments/v1/operator.ts';
import { withPayments } from '../payments/payments-service.ts';
import type { Terminal } from '../terminal/command.ts';
import { type Finding, failure, ok, warning } from './finding.ts';

const TIMEOUT_MS = 5000;
/** Below this multiple of what is needed, it is time to refill. */
const COMFORTABLE = 3n;

export async function examineGas(terminal: Terminal): Promise<readonly Finding[]> {
  const gas = await withPayments(terminal, (client) => client.readGas({ timeoutMs: TIMEOUT_MS }), '');
  return gas === undefined ? [] : [judge(gas), ...gas.shared.map(judgeShared)];
}

function judgeShared({ of, spent, most }: SharedGas): Finding {
  const check = 'payments.lost-gas';
  const found = `${of} took ${spent} of at most ${most} gas today (UTC)`;
  const action =
    'look at `payments list --state failed` and `channels list`; beyond it they are refused until tomorrow';
  return spent * 2n > most ? warning(check, found, action) : ok(check, found);
}

function judge({ address, balanceWei, neededWei, settlements, unclaimedChannels }: GasBalance): Finding {
  const check = 'payments.gas';
  const [balance, needed] = [BigInt(balanceWei), BigInt(neededWei)];
  const work = `${settlements} settlements and claims of ${unclaimedChannels} channels`;
  const found = `${address} has ${formatEther(balance)} ETH, and ${work} cost up to ${formatEther(needed)}`;
  const action = `send ETH on the network of the payments to ${address}`;
  if (balance < needed) return failure(check, found, `${action}: payments are refused until then`);
  return balance < COMFORTABLE * needed ? warning(check, found, action) : ok(check, found);
}
