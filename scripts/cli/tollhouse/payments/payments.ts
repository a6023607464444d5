import { type Command, CommandError } from '../terminal/command.ts';
import { listPayments } from './payments-list.ts';
import { reconcilePayments } from './payments-reconcile.ts';
import { refundPayment } from './payments-refund.ts';
import { releasePayment } from './payments-release.ts';
import { showPayment } from './payments-show.ts';

const USAGE = `usage: npm run tollhouse -- payments list [--state STATE] [--payer ADDRESS] [--limit N] [--json]
       npm run tollhouse -- payments show CLAIM_ID [--json]
       npm run tollhouse -- payments release CLAIM_ID --reason TEXT [--json]
       npm run tollhouse -- payments refund CLAIM_ID --reason TEXT [--transaction HASH] [--json]
       npm run tollhouse -- payments reconcile [--json]`;

const ACTIONS: ReadonlyMap<string, Command> = new Map([
  ['list', listPayments],
  ['show', showPayment],
  ['release', releasePayment],
  ['refund', refundPayment],
  ['reconcile', reconcilePayments],
]);

/** `payments …`: what became of payments, and what an operator does about them. */
export const payments: Command = async ([name, ...args], terminal) => {
  const action = name === undefined ? undefined : ACTIONS.get(name);
  if (action === undefined) throw new CommandError(USAGE, 2);
  await action(args, terminal);
};
