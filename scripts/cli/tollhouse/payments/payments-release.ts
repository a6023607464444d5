import { CommandError, type Terminal } from '../terminal/command.ts';
import { operatorOf, requireReason } from '../terminal/operator.ts';
import { readClaimArguments } from './payments-arguments.ts';
import { CALL, withPayments } from './payments-service.ts';

const USAGE = 'usage: npm run tollhouse -- payments release CLAIM_ID --reason TEXT [--json]';
const OPTIONS = { reason: { type: 'string' }, json: { type: 'boolean', default: false } } as const;

/** `payments release`. Ends a claim without an outcome that can no longer be paid. */
export async function releasePayment(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, claimId } = readClaimArguments(args, OPTIONS, USAGE);
  const act = { operator: operatorOf(terminal), reason: requireReason(values.reason) };
  const { outcome } = await withPayments(terminal, (client) => client.release({ claimId, act }, CALL));
  if (outcome?.$case !== 'released') {
    throw new CommandError(`not released: ${outcome?.value ?? 'the service gave no reason'}`);
  }
  if (values.json) terminal.say(JSON.stringify({ claimId, released: true, why: outcome.value }));
  else terminal.say(`released: its authorization can no longer be used (${outcome.value})`);
}
