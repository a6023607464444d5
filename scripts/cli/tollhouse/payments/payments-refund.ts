import type { Transfer } from '../../../../proto/gen/tollhouse/payments/v1/operator.ts';
import { COMMAND_LINES } from '../../../../services/platform/process/installation.ts';
import { type Command, CommandError } from '../../terminal/command.ts';
import { operatorOf, requireReason } from '../../terminal/operator.ts';
import { readClaimId } from './payments-arguments.ts';
import { usdc } from './payments-fields.ts';
import { CALL, withPayments } from './payments-service.ts';

/** `payments refund`. Prints the transfer that gives a payment back, once, or records it. */
export const refundPayment: Command = async (terminal, { transaction, reason, again, dryRun, json }, text) => {
  const claimId = readClaimId(text);
  if (transaction !== undefined && !/^0x[0-9a-f]{64}$/i.test(transaction)) {
    throw new CommandError('--transaction is the hash of a transaction', 2);
  }
  const act = { operator: operatorOf(terminal), reason: requireReason(reason) };
  const request = { claimId, act, transaction, isAgain: again === true, isDry: dryRun === true };
  const { outcome } = await withPayments(terminal, (client) => client.refund(request, CALL));
  switch (outcome?.$case) {
    case 'recorded':
      terminal.say(json ? JSON.stringify({ claimId, transaction: outcome.value }) : `refunded in ${outcome.value}`);
      return;
    case 'needed':
      terminal.say(json ? JSON.stringify({ claimId, needed: outcome.value }) : instruct(claimId, outcome.value));
      if (dryRun && !json) terminal.say('\ndry run: nothing was recorded');
      return;
    case 'refused':
      throw new CommandError(`not refunded: ${outcome.value}`);
    default:
      throw new CommandError('not refunded: the service gave no reason');
  }
};

const instruct = (claimId: string, { network, asset, from, to, amount }: Transfer): string =>
  `Send this transfer with the wallet of the payee, once:

  network  ${network}
  token    ${asset}
  from     ${from}
  to       ${to}
  amount   ${usdc(BigInt(amount))} (${amount} atomic units)

When it is final, record it:

  ${COMMAND_LINES.tollhouse} payments refund ${claimId} --transaction HASH --reason TEXT`;
