import { type Command, CommandError } from '../../terminal/command.ts';
import { operatorOf, requireReason } from '../../terminal/operator.ts';
import { readClaimId } from './payments-arguments.ts';
import { CALL, withPayments } from './payments-service.ts';

/** `payments release`. Ends a claim without an outcome that can no longer be paid. */
export const releasePayment: Command = async (terminal, { reason, json }, text) => {
  const claimId = readClaimId(text);
  const act = { operator: operatorOf(terminal), reason: requireReason(reason) };
  const { outcome } = await withPayments(terminal, (client) => client.release({ claimId, act }, CALL));
  if (outcome?.$case !== 'released') {
    throw new CommandError(`not released: ${outcome?.value ?? 'the service gave no reason'}`);
  }
  if (json) terminal.say(JSON.stringify({ claimId, released: true, why: outcome.value }));
  else terminal.say(`released: its authorization can no longer be used (${outcome.value})`);
};
