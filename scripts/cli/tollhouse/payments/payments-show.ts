import type { InspectResponse } from '../../../../proto/gen/tollhouse/payments/v1/operator.ts';
import { listActs, type RecordedAct } from '../../../../services/store/operator-acts.ts';
import { findPaymentClaim, type PaymentClaim } from '../../../../services/store/payment-claims.ts';
import { type Command, CommandError, type Terminal } from '../../terminal/command.ts';
import { withDatabase } from '../stores/operator-database.ts';
import { readClaimId } from './payments-arguments.ts';
import { claimFields, usdc } from './payments-fields.ts';
import { CALL, withPayments } from './payments-service.ts';

const MAX_ACTS = 100;

/** The answer of the service, or why it did not answer. */
type ChainFacts = { readonly facts: InspectResponse } | { readonly error: string };

/** `payments show`. Prints the record of a claim, the answer that its caller got, its acts, and what the chain says. */
export const showPayment: Command = async (terminal, { json }, text) => {
  const claimId = readClaimId(text);
  const { claim, acts } = await withDatabase(terminal, async (database) => ({
    claim: await findPaymentClaim(database, claimId),
    acts: await listActs(database, { subject: claimId, limit: MAX_ACTS }),
  }));
  if (claim === undefined) throw new CommandError(`no result is retained for claim ${claimId}`);
  const chain = await readFacts(terminal, claimId);
  if (json) terminal.say(JSON.stringify(toJson(claim, acts, chain)));
  else for (const line of toLines(claim, acts, chain)) terminal.say(line);
};

/** The record is shown even while the service or its node does not answer. */
async function readFacts(terminal: Terminal, claimId: string): Promise<ChainFacts> {
  try {
    return { facts: await withPayments(terminal, (client) => client.inspect(claimId, CALL)) };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { error: error.message };
  }
}

const confirmationsOf = ({ blockNumber, latestBlock }: InspectResponse): number | undefined =>
  blockNumber === undefined ? undefined : Math.max(Number(latestBlock - blockNumber) + 1, 0);

function toJson(claim: PaymentClaim, acts: readonly RecordedAct[], chain: ChainFacts) {
  return {
    claim: claimFields(claim),
    outcome: claim.paymentResponse === null ? null : JSON.parse(claim.paymentResponse),
    chain: 'error' in chain ? chain : chainFields(chain.facts),
    acts: acts.map((act) => ({ ...act, sequence: Number(act.sequence) })),
  };
}

const chainFields = (facts: InspectResponse) => ({
  ...facts,
  blockNumber: facts.blockNumber === undefined ? undefined : Number(facts.blockNumber),
  latestBlock: Number(facts.latestBlock),
  confirmations: confirmationsOf(facts),
  neededConfirmations: facts.confirmations,
});

function toLines(claim: PaymentClaim, acts: readonly RecordedAct[], chain: ChainFacts): readonly string[] {
  const { claimId, state, network, asset, payer, nonce, amount, createdAt, paymentResponse } = claim;
  const fields: readonly (readonly [string, string | null])[] = [
    ['claim', claimId],
    ['state', state],
    ['amount', `${usdc(amount)} (${amount} of ${asset} on ${network})`],
    ['payer', `${payer}, nonce ${nonce}`],
    ['executed', createdAt.toISOString()],
    ['valid until', claimFields(claim).validBefore],
    ['answered', paymentResponse],
    ['transaction', claim.transaction],
    ['final', claimFields(claim).finalizedAt],
    ['lost', claim.lostAt === null ? null : `${claim.lostAt.toISOString()}: ${claim.lostReason}`],
    ['released', claimFields(claim).releasedAt],
    ['refunding', claim.state === 'refunding' ? claimFields(claim).refundOpenedAt : null],
    ['refunded', claim.refundTransaction],
    ['chain', 'error' in chain ? `not known: ${chain.error}` : describe(chain.facts)],
  ];
  return [
    ...fields.flatMap(([name, value]) => (value === null ? [] : [`${name.padEnd(11)}  ${value}`])),
    ...acts.map(
      ({ actedAt, operator, action, reason }) =>
        `act          ${actedAt.toISOString()}  ${operator}  ${action}  ${reason}`,
    ),
  ];
}

function describe(facts: InspectResponse): string {
  const at = `at block ${facts.latestBlock}`;
  switch (facts.authorization) {
    case 'settled':
      return `paid in transaction ${facts.transaction}, block ${facts.blockNumber}, ${confirmationsOf(facts)} of ${facts.confirmations} confirmations ${at}`;
    case 'void':
      return `the authorization can no longer be used ${at}: ${facts.reason}`;
    case 'in_flight':
      return `the transaction waits to be mined ${at}`;
    default:
      return `the authorization is not used ${at}`;
  }
}
