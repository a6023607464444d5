import { Type } from 'typebox';
import { createJsonReader } from '../../../launch/parse/json-reader.ts';
import { type Command, CommandError } from '../../terminal/command.ts';
import { usdc } from './payments-fields.ts';
import { CALL, withPayments } from './payments-service.ts';

const Sum = Type.Object({ count: Type.Integer(), amount: Type.String() });
const Transfer = Type.Object({
  transaction: Type.String(),
  from: Type.String(),
  to: Type.String(),
  amount: Type.String(),
});
const Claim = Type.Object({ claimId: Type.String(), transaction: Type.Union([Type.String(), Type.Null()]) });
/** The members of a report that are printed. */
const Report = Type.Object({
  payee: Type.String(),
  fromBlock: Type.Integer(),
  toBlock: Type.Integer(),
  received: Sum,
  settledFromChannels: Sum,
  sent: Sum,
  balance: Type.Object({ before: Type.Union([Type.String(), Type.Null()]), after: Type.String() }),
  differences: Type.Object({
    claimsWithoutTransfer: Type.Array(Type.Intersect([Claim, Type.Object({ reason: Type.String() })])),
    transfersWithoutClaim: Type.Array(
      Type.Intersect([Transfer, Type.Object({ claimId: Type.Union([Type.String(), Type.Null()]) })]),
    ),
    refundsWithoutTransfer: Type.Array(Claim),
    balance: Type.Union([Type.String(), Type.Null()]),
  }),
  refunds: Type.Array(Claim),
  otherTransfersSent: Type.Array(Transfer),
  pendingClaims: Type.Array(Type.String()),
});
type Report = Type.Static<typeof Report>;

const readReport = createJsonReader(Report, 'the report of the payments service');

/** `payments reconcile`. Compares the claims with the chain since the last run. Fails if they differ. */
export const reconcilePayments: Command = async (terminal, { json }) => {
  const runs: string[] = [];
  let differs = false;
  await withPayments(terminal, async (client) => {
    for (let isDone = false; !isDone; ) {
      const { reports, differs: hasDifferences, complete } = await client.reconcile(CALL);
      runs.push(...reports);
      differs ||= hasDifferences;
      isDone = complete;
      if (json) continue;
      for (const report of reports.map(readReport)) {
        if (reports.length > 1) terminal.say(`payee ${report.payee}`);
        for (const line of toLines(report)) terminal.say(line);
      }
    }
  });
  if (json) terminal.say(`{"differs":${differs},"runs":[${runs.join(',')}]}`);
  if (differs) throw new CommandError('the claims and the chain differ');
};

function toLines({
  fromBlock,
  toBlock,
  received,
  settledFromChannels,
  sent,
  balance,
  ...found
}: Report): readonly string[] {
  const { differences, refunds, otherTransfersSent, pendingClaims } = found;
  const amountOf = ({ count, amount }: Report['received']) => `${count} transfers, ${usdc(BigInt(amount))}`;
  const { before, after } = balance;
  return [
    toBlock < fromBlock ? 'no new final blocks' : `blocks ${fromBlock} to ${toBlock}`,
    `received ${amountOf(received)}, of which ${settledFromChannels.count} from channels; sent ${amountOf(sent)}, of which ${refunds.length} refunds`,
    `balance ${before === null ? 'not known' : usdc(BigInt(before))} before, ${usdc(BigInt(after))} after`,
    ...refunds.map(({ claimId, transaction }) => `refund of ${claimId} in ${transaction}`),
    ...otherTransfersSent.map(
      ({ transaction, to, amount }) => `sent ${usdc(BigInt(amount))} to ${to} in ${transaction}`,
    ),
    ...pendingClaims.map((claimId) => `claim ${claimId} has no outcome yet: the next run looks again`),
    ...differences.claimsWithoutTransfer.map(
      ({ claimId, reason }) => `DIFFERENCE  settled claim ${claimId} has no transfer (${reason})`,
    ),
    ...differences.transfersWithoutClaim.map(
      ({ transaction, from, amount, claimId }) =>
        `DIFFERENCE  ${usdc(BigInt(amount))} from ${from} in ${transaction} belongs to no settled claim${claimId === null ? '' : ` (claim ${claimId} is not settled)`}`,
    ),
    ...differences.refundsWithoutTransfer.map(({ claimId }) => `DIFFERENCE  the refund of ${claimId} has no transfer`),
    ...(differences.balance === null
      ? []
      : [`DIFFERENCE  the balance differs from the transfers by ${differences.balance}`]),
  ];
}
