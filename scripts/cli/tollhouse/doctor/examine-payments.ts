import { formatEther } from 'viem';
import type { GasBalance, SharedGas } from '../../../../proto/gen/tollhouse/payments/v1/operator.ts';
import { createNodeCheck } from '../../../../services/payments/chain/check-node.ts';
import { readConfig } from '../../../../services/payments/config.ts';
import { createCredentials } from '../../../../services/payments/facilitator/credentials.ts';
import { createRemoteFacilitator } from '../../../../services/payments/facilitator/remote.ts';
import { createTerms } from '../../../../services/payments/payment/terms.ts';
import { isSandboxIn } from '../../../launch/settings.ts';
import type { Terminal } from '../../terminal/command.ts';
import { withPayments } from '../payments/payments-service.ts';
import { examine, type Finding, failure, ok, warning } from './finding.ts';

const TIMEOUT_MS = 5000;
/** The database is not looked at here. */
const UNUSED = 'postgres://127.0.0.1:1/none';
/** Below this multiple of what is needed, it is time to refill. */
const COMFORTABLE = 3n;

/** The running service has looked at its node, token and facilitator. Where none runs, they are looked at from here. */
export async function examinePayments(terminal: Terminal): Promise<readonly Finding[]> {
  const action = 'start services/payments, or correct PAYMENTS_URL';
  const running = await examine('payments', action, async () => {
    const gas = await withPayments(terminal, (client) => client.readGas({ timeoutMs: TIMEOUT_MS }), '');
    return gas === undefined ? [] : [judge(gas), ...gas.shared.map(judgeShared)];
  });
  const isMissing = running.some(({ check }) => check === 'payments');
  return isMissing ? [...running, ...(await examineSettlement(terminal.environment))] : running;
}

/** Looks at the node and the facilitator that the environment names. */
export async function examineSettlement(environment: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  if (isSandboxIn(environment)) return [];
  // Missing keys are found with the configuration. Nothing is made here.
  const given = { DATABASE_URL: UNUSED, ...environment, CREATE_KEYS: 'true' };
  const { backend, settleTimeoutMs: timeoutMs } = readConfig(given);
  if (backend.kind === 'sandbox') return [];
  const { network, payTo, rpcUrl } = backend;
  const terms = createTerms({ network, payTo, sandbox: false });
  const node = await examine('payments.node', 'correct X402_RPC_URL or X402_NETWORK, or start the node', async () => {
    if (rpcUrl === undefined) return [];
    await createNodeCheck(rpcUrl, terms)();
    return [ok('payments.node', `it is on ${network}, and its token is ${terms.assetName}`)];
  });
  const action = 'correct X402_FACILITATOR_URL, its credentials or X402_NETWORK';
  const check = 'payments.facilitator';
  const facilitator = await examine(check, action, async () => {
    if (backend.kind !== 'facilitator') return [];
    const credentials = createCredentials(backend.credentials, Date.now);
    const remote = createRemoteFacilitator({ url: backend.url, credentials, network, timeoutMs, now: Date.now });
    const isSupported = await remote.readSupport();
    remote.admit();
    if (isSupported === undefined) return [warning(check, 'it does not say what it supports', action)];
    if (isSupported) return [ok(check, `it takes exact payments on ${network}`)];
    return [failure(check, `it does not list exact payments on ${network} as supported`, action)];
  });
  return [...node, ...facilitator];
}

function judgeShared({ of, spent, most, isAlarm }: SharedGas): Finding {
  const check = 'payments.lost-gas';
  const found = `${of} took ${spent} gas today (UTC); ${isAlarm ? 'the alarm is at' : 'at most'} ${most}`;
  const beyond = isAlarm ? 'they are not refused beyond it' : 'beyond it they are refused until tomorrow';
  const action = `look at \`payments list --state failed\` and \`channels list\`; ${beyond}`;
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
