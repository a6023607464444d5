import { listPaymentClaims, PAYMENT_STATES } from '../../../../services/store/payment-claims.ts';
import { withDatabase } from '../stores/operator-database.ts';
import { CommandError, type Terminal } from '../terminal/command.ts';
import { readOptions } from './payments-arguments.ts';
import { claimFields, usdc } from './payments-fields.ts';

const USAGE = 'usage: npm run tollhouse -- payments list [--state STATE] [--payer ADDRESS] [--limit N] [--json]';
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 100_000;
const OPTIONS = {
  state: { type: 'string' },
  payer: { type: 'string' },
  limit: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

/** `payments list`. Prints the latest payments with a retained result, the newest first. */
export async function listPayments(args: readonly string[], terminal: Terminal): Promise<void> {
  const { state, payer, limit, json } = readArguments(args);
  const claims = await withDatabase(terminal, (database) => listPaymentClaims(database, { state, payer, limit }));
  if (json) return terminal.say(JSON.stringify(claims.map(claimFields)));
  for (const { claimId, state: is, createdAt, amount, payer: by, transaction } of claims) {
    terminal.say(
      `${claimId}  ${createdAt.toISOString()}  ${is.padEnd(8)}  ${usdc(amount)}  ${by}  ${transaction ?? '-'}`,
    );
  }
}

function readArguments(args: readonly string[]) {
  const { state: name, payer, limit: count, json } = readOptions(args, OPTIONS, USAGE);
  const state = PAYMENT_STATES.find((each) => each === name);
  if (name !== undefined && state === undefined)
    throw new CommandError(`--state is one of ${PAYMENT_STATES.join(', ')}`, 2);
  if (payer !== undefined && !/^0x[0-9a-f]{40}$/i.test(payer)) throw new CommandError('--payer is an address', 2);
  const limit = count === undefined ? DEFAULT_LIMIT : Number(count);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw new CommandError(`--limit is a number from 1 to ${MAX_LIMIT}`, 2);
  }
  return { state, payer, limit, json };
}
