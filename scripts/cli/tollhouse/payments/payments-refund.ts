import type { EstimateRefundResponse, Transfer } from '../../../../proto/gen/tollhouse/payments/v1/operator.ts';
import { COMMAND_LINES } from '../../../../services/platform/process/installation.ts';
import { type Command, CommandError } from '../../terminal/command.ts';
import { operatorOf, requireReason } from '../../terminal/operator.ts';
import { sayEstimate } from './estimate.ts';
import { readClaimId } from './payments-arguments.ts';
import { CALL, withPayments } from './payments-service.ts';

const NOT_TAKEN = `the refund is signed and recorded as HASH, and the node did not take it. The payee may
lack gas, or an earlier transaction of the payee may have its nonce. The service sends it again until it is final. Run
the command again to see its state: it never pays twice`;

/** `payments refund`. Transfers the amount back to the payer, or records a transfer that the operator sent. */
export const refundPayment: Command = async (terminal, { transaction, reason, dryRun, json }, text) => {
  const claimId = readClaimId(text);
  if (transaction !== undefined && !/^0x[0-9a-f]{64}$/i.test(transaction)) {
    throw new CommandError('--transaction is the hash of a transaction', 2);
  }
  const act = { operator: operatorOf(terminal), reason: requireReason(reason) };
  const { outcome } = await withPayments(
    terminal,
    async (client): Promise<EstimateRefundResponse> =>
      dryRun ? client.estimateRefund(claimId, CALL) : client.refund({ claimId, act, transaction }, CALL),
  );
  switch (outcome?.$case) {
    case 'estimate':
      return sayEstimate(terminal, json, outcome.value);
    case 'sent': {
      const { transaction: hash, state } = outcome.value;
      if (json) terminal.say(JSON.stringify({ claimId, transaction: hash, state }));
      if (state === 'signed') throw new CommandError(NOT_TAKEN.replace('HASH', hash));
      if (!json) terminal.say(`refunded in ${hash} (${state})`);
      return;
    }
    case 'needed':
      if (json) terminal.say(JSON.stringify({ claimId, needed: outcome.value }));
      throw new CommandError(instruct(claimId, outcome.value));
    case 'refused':
      throw new CommandError(`not refunded: ${outcome.value}`);
    default:
      throw new CommandError('not refunded: the service gave no reason');
  }
};

function instruct(claimId: string, { network, asset, from, to, amount }: Transfer): string {
  return `not refunded: the payments service does not hold the key of ${from}. Send this transfer yourself:

  network  ${network}
  token    ${asset}
  from     ${from}
  to       ${to}
  amount   ${amount} atomic units

When it is final, record it:

  ${COMMAND_LINES.tollhouse} payments refund ${claimId} --transaction HASH --reason TEXT`;
}
