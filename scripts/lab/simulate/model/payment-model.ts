import type { CanonicalTransfer, PaymentAnswer, PaymentFacts, SignedPayment, StoredClaim } from './payment-facts.ts';

type Fault = (problem: string) => void;
type Answer = NonNullable<PaymentAnswer['answer']>;

interface Known {
  readonly claim: StoredClaim | undefined;
  readonly transfer: CanonicalTransfer | undefined;
  /** The claims and transfers of all payments of the call. */
  readonly call: Pick<PaymentFacts, 'claims' | 'transfers' | 'payments'>;
  readonly fault: Fault;
}

/** Decides whether the facts of a run keep every promise. @returns what is wrong */
export function judgePayments(facts: PaymentFacts): readonly string[] {
  const faults: string[] = [];
  const fault: Fault = (problem) => faults.push(problem);
  for (const id of facts.orphans) fault(`the answer ${id} is retained, and no claim pays for it`);
  const isOf = (payment: SignedPayment) => (found: { readonly payer: string; readonly nonce: string }) =>
    found.payer === payment.payer && found.nonce === payment.nonce;
  for (const claim of facts.claims) {
    if (!facts.payments.some((payment) => payment.nonce === claim.nonce)) fault(`${claim.claimId} has no payment`);
  }
  for (const payment of facts.payments) {
    const claims = facts.claims.filter(isOf(payment));
    const transfers = facts.transfers.filter(isOf(payment));
    if (claims.length > 1) fault(`${payment.tag} has ${claims.length} retained results`);
    if (transfers.length > 1) fault(`${payment.tag} was charged ${transfers.length} times`);
    const [claim] = claims;
    const [transfer] = transfers;
    const call = callOf(facts, payment);
    if (call.transfers.length > 1) fault(`${payment.tag} was charged ${call.transfers.length} times for one call`);
    judgeClaim(payment, { claim, transfer, call, fault });
    judgeCharge(facts, payment, { claim, transfer, call, fault });
    judgeAnswers(payment, { claim, transfer, call, fault });
    judgeExecutions(facts, payment, { call, fault });
  }
  for (const payer of facts.funds.keys()) judgeFunds(facts, payer, fault);
  return faults;
}

/** What is known of all payments that are one call with this one. */
function callOf(facts: PaymentFacts, payment: SignedPayment): Known['call'] {
  const isSame = (other: SignedPayment) =>
    other === payment || (payment.identifier !== undefined && other.identifier === payment.identifier);
  const payments = facts.payments.filter(isSame);
  const isOf = (found: { readonly payer: string; readonly nonce: string }) =>
    payments.some(({ payer, nonce }) => payer === found.payer && nonce === found.nonce);
  return { payments, claims: facts.claims.filter(isOf), transfers: facts.transfers.filter(isOf) };
}

/** Whether the records of a payment are final and agree with the chain. */
function judgeClaim({ tag }: SignedPayment, { claim, transfer, fault }: Known): void {
  if (claim === undefined) return;
  const { claimId, outcome, isFinal, isFinalized, isLost, isOwed, body } = claim;
  if (body === undefined) fault(`${tag} (${claimId}) has no retained answer`);
  if (isOwed) fault(`${tag} (${claimId}) is owed for ever`);
  if (outcome === undefined) fault(`${tag} (${claimId}) is open for ever`);
  if (outcome === 'failed' && !isFinal) fault(`${tag} (${claimId}) failed without a proof, and stays so`);
  if (outcome === 'settled' && !isFinalized && !isLost) fault(`${tag} (${claimId}) settled, and never became final`);
  if (outcome === 'settled' && isFinalized && transfer === undefined)
    fault(`${tag} (${claimId}) is final, and not paid`);
  if (outcome === 'settled' && isLost && transfer !== undefined)
    fault(`${tag} (${claimId}) is called lost, and is paid`);
  if (outcome === 'failed' && transfer !== undefined) fault(`${tag} (${claimId}) is called failed, and is paid`);
}

/** Whether a payer who was charged can get the result, and a payer who cannot was not charged. */
function judgeCharge({ payTo }: PaymentFacts, payment: SignedPayment, { claim, transfer, call, fault }: Known): void {
  const { tag, amount, isFrontRun } = payment;
  if (transfer === undefined) return;
  if (transfer.to !== payTo || transfer.value !== amount)
    fault(`${tag} was charged another amount or for another payee`);
  // Somebody used the authorization before its request was executed: the service never had it to settle.
  if (isFrontRun && claim === undefined) return;
  if (claim === undefined) fault(`${tag} was charged without a retained result`);
  const outcomes = call.payments.flatMap(({ last }) => [...last.values()].map((answer) => answer?.outcome));
  if (!outcomes.includes(200)) fault(`${tag} was charged, and its payer cannot get the result: ${outcomes.join()}`);
}

/** Whether nobody executes what is executed already, as long as the first claim of the call must have its lease. */
function judgeExecutions(
  facts: PaymentFacts,
  { tag }: SignedPayment,
  { call, fault }: Pick<Known, 'call' | 'fault'>,
): void {
  const signedMs = Math.min(...call.payments.map((payment) => payment.signedMs));
  const executions = facts.executions.filter((execution) => execution.tag === tag);
  for (const [index, { atMs }] of executions.entries()) {
    if (atMs >= signedMs + facts.leaseMs) continue;
    if (facts.crashesMs.some((crashedMs) => crashedMs >= signedMs && crashedMs <= atMs)) continue;
    const isRunning = executions.slice(0, index).some(({ endedMs }) => endedMs === undefined || endedMs > atMs);
    if (isRunning) fault(`${tag} was executed twice at the same time`);
  }
}

/**
 * Whether a payer who only pays cannot have more executed at a time than there is money for. What is paid already may be
 * missing in a balance that was read before.
 */
function judgeFunds(facts: PaymentFacts, payer: string, fault: Fault): void {
  const isOf = (found: { readonly payer: string }) => found.payer === payer;
  const payments = facts.payments.filter(isOf);
  if (facts.isReorganized || payments.some(({ isMeddled }) => isMeddled)) return;
  const fund = facts.funds.get(payer) ?? 0n;
  const claims = facts.claims.filter(isOf);
  for (const claim of claims) {
    const isInFlight = ({ nonce }: SignedPayment) =>
      nonce === claim.nonce ||
      (claims.some((other) => other.nonce === nonce && other.openedMs <= claim.openedMs) &&
        facts.transfers.some((transfer) => transfer.nonce === nonce && transfer.minedMs > claim.openedMs));
    const inFlight = payments.filter(isInFlight).reduce((sum, { amount }) => sum + amount, 0n);
    if (inFlight > fund) fault(`${payer} has ${fund}, and calls for ${inFlight} were executed at the same time`);
  }
}

function judgeAnswers(payment: SignedPayment, { call, fault }: Known): void {
  const { tag, answers, last } = payment;
  const lastAnswers = [...last].map(([sentTag, answer]) => ({ sentTag, answer }));
  const delivered = [...answers, ...lastAnswers].flatMap(({ sentTag, answer }) =>
    answer?.outcome === 200 ? [{ sentTag, answer }] : [],
  );
  if (new Set(delivered.map(({ sentTag }) => sentTag)).size > 1) fault(`${tag} paid for two different requests`);
  for (const { sentTag, answer } of delivered) {
    const claim = call.claims.find(({ body }) => body === answer.body);
    if (call.claims.length === 0) fault(`${tag} got a result that is not retained`);
    else if (claim === undefined) fault(`${tag} got another result than the one that is retained`);
    if (!answer.body.includes(`"tag":"${sentTag}"`)) fault(`${tag} got the result of another request`);
    if (!responseOf(answer).success) fault(`${tag} got a result without a settlement`);
    if (call.transfers.length === 0 && claim?.isLost !== true)
      fault(`${tag} got a result, was not charged, and is not reported lost`);
  }
  for (const sentTag of new Set(delivered.map((each) => each.sentTag))) {
    if (last.get(sentTag)?.outcome !== 200) fault(`${tag} got a result, and later ${last.get(sentTag)?.outcome}`);
  }
}

interface PaymentResponse {
  readonly success: boolean;
}

/** The x402 `SettleResponse` of an answer. */
function responseOf({ headers }: Answer): PaymentResponse {
  const header = headers['payment-response'];
  if (header === undefined) return { success: false };
  const response: unknown = JSON.parse(Buffer.from(header, 'base64').toString());
  return { success: Object(response).success === true && String(Object(response).transaction).startsWith('0x') };
}
