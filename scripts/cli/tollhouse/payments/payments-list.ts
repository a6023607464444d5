import { listPaymentClaims, PAYMENT_STATES } from '../../../../services/store/payment-claims.ts';
import { type Command, CommandError } from '../../terminal/command.ts';
import { readLimit } from '../../terminal/options.ts';
import { sayTable } from '../../terminal/table.ts';
import { withDatabase } from '../stores/operator-database.ts';
import { claimFields, usdc } from './payments-fields.ts';

/** `payments list`. Prints the latest payments with a retained result, the newest first. */
export const listPayments: Command = async (terminal, { state: name, payer, limit: count, json }) => {
  const limit = readLimit(count);
  const state = PAYMENT_STATES.find((each) => each === name);
  if (name !== undefined && state === undefined)
    throw new CommandError(`--state is one of ${PAYMENT_STATES.join(', ')}`, 2);
  if (payer !== undefined && !/^0x[0-9a-f]{40}$/i.test(payer)) throw new CommandError('--payer is an address', 2);
  const wanted = { state, payer, limit };
  const claims = await withDatabase(terminal, (database) => listPaymentClaims(database, wanted));
  if (json) return terminal.say(JSON.stringify(claims.map(claimFields)));
  const rows = claims.map(({ claimId, state: is, createdAt, amount, payer: by, transaction }) => {
    return [claimId, createdAt.toISOString(), is, usdc(amount), by, transaction ?? '-'];
  });
  sayTable(terminal, ['CLAIM_ID', 'EXECUTED', 'STATE', 'AMOUNT', 'PAYER', 'TRANSACTION'], rows);
};
