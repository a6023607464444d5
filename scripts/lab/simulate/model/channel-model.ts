import type { ChannelAnswer, ChannelFacts, ContractAccount } from './channel-facts.ts';

type Fault = (problem: string) => void;

const MAY_BE_CHARGED = new Set<ChannelAnswer['outcome']>([200, 'PAYMENT_UNAVAILABLE', undefined]);

/** Decides whether the facts of a run keep every promise. @returns what is wrong */
export function judgeChannels(facts: ChannelFacts): readonly string[] {
  const faults: string[] = [];
  const fault: Fault = (problem) => faults.push(problem);
  for (const id of facts.open) fault(`${id} is open for ever`);
  for (const violation of facts.violations) fault(`the audit found ${violation}`);
  judgeCharges(facts, fault);
  for (const [channelId, account] of facts.contract.channels) judgeAccount(channelId, account, facts, fault);
  for (const answer of facts.answers) judgeAnswer(answer, facts, fault);
  judgeRefusals(facts, fault);
  judgeExecutions(facts, fault);
  return faults;
}

function judgeCharges({ charges, bodies, price }: ChannelFacts, fault: Fault): void {
  for (const [id, { amount }] of charges) {
    if (!bodies.has(id)) fault(`${id} was charged without its answer`);
    if (amount !== price) fault(`${id} was charged ${amount}, and the price is ${price}`);
  }
  for (const id of bodies.keys()) if (!charges.has(id)) fault(`the answer of ${id} is stored, and was not charged`);
}

const nameOf = (channelId: string): string => `the channel ${channelId.slice(0, 10)}`;

/** What was charged was there and was not returned to the payer, and all but the latest call is claimed. */
function judgeAccount(channelId: string, account: ContractAccount, facts: ChannelFacts, fault: Fault): void {
  const { deposited, refunded, withdrawn, claimed } = account;
  const name = nameOf(channelId);
  const charged = facts.charged.get(channelId) ?? 0n;
  const booked = [...facts.charges.values()]
    .filter((charge) => charge.channelId === channelId)
    .reduce((sum, { amount }) => sum + amount, 0n);
  if (booked !== charged) fault(`${name} was charged ${charged}, and its charges are ${booked}`);
  if (charged > 0n && facts.signed.get(channelId)?.includes(charged) !== true) {
    fault(`${name} was charged ${charged}, which nobody signed`);
  }
  if (charged > deposited) fault(`${name} was charged ${charged} of a deposit of ${deposited}`);
  const isClaimed = claimed <= charged && claimed + facts.price >= charged;
  if (!isClaimed) fault(`${name} was charged ${charged}, and ${claimed} is claimed`);
  if (charged + refunded + withdrawn > deposited) fault(`${name} returned what was charged`);
  const last = facts.answers.filter((answer) => answer.isLast && answer.channelId === channelId);
  if (charged > 0n && !last.some(({ outcome, cumulative }) => outcome === 200 && cumulative === charged)) {
    fault(`${name} cannot get the answer that it was charged for last`);
  }
}

/** What a client was told must be true. */
function judgeAnswer(answer: ChannelAnswer, facts: ChannelFacts, fault: Fault): void {
  const { channelId, cumulative, tag, outcome, body, isRefund, toldCharged, toldMoved } = answer;
  const name = `the request ${tag} for ${cumulative}`;
  const charged = facts.charged.get(channelId) ?? 0n;
  if (toldCharged !== undefined && toldCharged > charged) {
    fault(`${name} was told ${toldCharged} charged, and it is ${charged}`);
  }
  if (toldMoved !== undefined) {
    const { transaction, amount } = toldMoved;
    const moved = facts.contract.moved.find((known) => known.transaction === transaction);
    if (moved?.amount !== amount || moved.channelId !== channelId) fault(`${name} was told of a wrong transaction`);
  }
  if (outcome !== 200 || isRefund) return;
  if (toldCharged !== cumulative) fault(`${name} was told ${toldCharged} charged`);
  if (!body.includes(`"tag":"${tag}"`)) fault(`${name} got the result of another request`);
  const charges = [...facts.charges].filter(
    ([id, charge]) => charge.channelId === channelId && facts.bodies.get(id)?.includes(body),
  ).length;
  if (charges !== 1) fault(`${name} got a result that was charged ${charges} times`);
  const isDelivered = (other: ChannelAnswer) =>
    other.outcome === 200 && !other.isRefund && other.channelId === channelId;
  const other = facts.answers.find(
    (found) => isDelivered(found) && (found.cumulative === cumulative) !== (found.body === body),
  );
  if (other !== undefined) fault(`${name} got ${body}, and the one for ${other.cumulative} got ${other.body}`);
}

/** A call that got nothing but refusals is not charged. */
function judgeRefusals({ answers, charged, hasDoubles }: ChannelFacts, fault: Fault): void {
  if (hasDoubles) return;
  const isCharged = ({ channelId, cumulative }: ChannelAnswer) => cumulative <= (charged.get(channelId) ?? 0n);
  const calls = Map.groupBy(
    answers.filter((answer) => !answer.isRefund && isCharged(answer)),
    ({ channelId, cumulative }) => `${cumulative} of ${nameOf(channelId)}`,
  );
  for (const [call, told] of calls) {
    if (!told.some(({ outcome }) => MAY_BE_CHARGED.has(outcome))) fault(`${call} was refused, and is charged`);
  }
}

/** What was delivered is not executed again. */
function judgeExecutions({ executions, answers, hasStalls }: ChannelFacts, fault: Fault): void {
  if (hasStalls) return;
  for (const { tag, atMs } of executions) {
    const isLate = answers.some((answer) => answer.outcome === 200 && answer.tag === tag && answer.atMs < atMs);
    if (isLate) fault(`${tag} was executed again after its answer`);
  }
}
