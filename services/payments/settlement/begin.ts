import { channel } from 'node:diagnostics_channel';
import { v7 as uuidv7 } from 'uuid';
import { type BeginResponse, RefusalCode } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';
import type { Claim, ClaimDetails, Claims, OpenOptions, PayerState } from '../claims/claims.ts';
import { type Caller, waitForClaim } from '../claims/wait-for-claim.ts';
import { IDENTIFIER_REASONS } from '../contract/identifier-reasons.ts';
import { FacilitatorError, type Verification } from '../facilitator/facilitator.ts';
import { NO_FUNDS, USED } from '../facilitator/verification.ts';
import type { Payment } from '../payment/payment.ts';
import { explain, explainCode, type PaymentFault } from '../payment/reason.ts';
import { checkValidity } from '../payment/validity.ts';
import { refuse, refuseFault, refuseReused, replayed } from './begin-answers.ts';
import { createPaidElsewhere, reach } from './paid-elsewhere.ts';
import type { Settlement } from './settlement.ts';
import type { SettlingContext } from './settling-context.ts';

const step = channel('tollhouse:step');

/** What `begin` needs. */
interface BeginContext extends SettlingContext {
  readonly settlement: Settlement;
}

export interface Presentation {
  readonly paymentJson: string;
  readonly amount: string;
  /** Hexadecimal, as are the hashes below. */
  readonly fingerprint: string;
  /** undefined: the payment does not echo the secret of one of our offers. */
  readonly offerSecretHash: string | undefined;
  readonly paymentIdentifierHash: string | undefined;
  readonly operationTimeoutMs: number;
  /** Whether no payment may get a new claim. */
  readonly callsFrozen: boolean;
}

const NOT_OUR_OFFER: PaymentFault = {
  code: 'NOT_ACCEPTED',
  reason: explain(
    'invalid_payment_requirements',
    'accepted.extra.offerSecret must be that of an offer of this server; repeat the offer unchanged',
  ),
};

/** A payment that is presented, with what is known of it at one look. */
interface Look extends BeginContext {
  readonly presented: Presentation;
  readonly payment: Payment;
  /** Why the payment does not match what is offered now. */
  readonly mismatch: string | undefined;
  /** The claim of the payment. */
  readonly claim: Claim | undefined;
  readonly payer: PayerState;
  readonly mayHavePaid: ReturnType<typeof createPaidElsewhere>;
  /** Verifies the payment, once however often its claim is looked up. */
  readonly prove: () => Promise<Verification>;
}

/** `again`: the claim has changed. `wait`: the claim is busy. */
type Step = BeginResponse | 'again' | 'wait';

/** Answers a payment, or lets it pass. */
type Check = (look: Look) => Step | undefined | Promise<Step | undefined>;

/**
 * What is checked before a payment is verified and executed, in this order. A payment whose claim is under way or has ended is
 * answered by the second one.
 */
const CHECKS: readonly Check[] = [
  checkSameCall,
  answerByClaim,
  checkOffer,
  answerByIdentifier,
  checkFreeze,
  checkTimes,
  checkAdmission,
  checkFailures,
];

/** Answers a payment that is presented: execute, resume, replay or refuse. */
export function createBegin(
  context: BeginContext,
): (presented: Presentation, caller: Caller) => Promise<BeginResponse> {
  const { readPayment, claims, facilitator, now, logger } = context;
  const mayHavePaid = createPaidElsewhere(context);
  const logFailure = createRepeatedErrorLog({ logger, message: 'facilitator failure' });
  return async (presented, caller) => {
    const read = readPayment(presented.paymentJson, presented.amount);
    if (!read.ok) return refuseFault(read);
    const { payment, mismatch } = read;
    let proof: Promise<Verification> | undefined;
    const prove = () => {
      proof ??= facilitator.verify(payment);
      return proof;
    };
    const attempt = async (): Promise<Step> => {
      const look = {
        ...context,
        presented,
        payment,
        mismatch,
        mayHavePaid,
        prove,
        ...(await claims.find(keyOf(payment))),
      };
      for (const check of CHECKS) {
        const answer = await check(look);
        if (answer !== undefined) return answer;
      }
      return execute(look);
    };
    try {
      const outcome = await waitForClaim({ claims, caller, now, queues: queuesOf(presented, payment), attempt });
      return outcome ?? (await refuseWaiting(claims, presented, payment));
    } catch (error) {
      if (!(error instanceof FacilitatorError)) throw error;
      logFailure(error);
      return refuse(RefusalCode.REFUSAL_CODE_FACILITATOR_FAILURE, 'facilitator_failure');
    }
  };
}

/**
 * Refuses a payment that was used for another request, or that comes from a client without its secret. A settled authorization is
 * public calldata, so knowing it proves nothing. The offer's secret and the client's own identifier never reach the chain.
 */
function checkSameCall({ claim, presented, payment }: Look): Step | undefined {
  if (claim === undefined) return undefined;
  const holds =
    claim.offerSecretHash === presented.offerSecretHash ||
    (claim.paymentIdentifierHash !== undefined && claim.paymentIdentifierHash === presented.paymentIdentifierHash);
  const isSame = holds && claim.digest === payment.digest && claim.fingerprint === presented.fingerprint;
  return isSame ? undefined : refuseReused();
}

/** Lets a payment pass that has no claim, or one whose execution has lost its lease. */
async function answerByClaim(look: Look): Promise<Step | undefined> {
  const { claim } = look;
  switch (claim?.state) {
    case undefined:
      return undefined;
    case 'executing':
      return claim.isLeased ? 'wait' : undefined;
    case 'settling':
      return resumeSettling(look, claim);
    case 'retained':
    case 'unsent':
      return resume(look, claim);
    case 'settled':
      return replayed(claim);
    case 'failed':
      return refuseFailed(look, claim);
  }
}

async function resumeSettling(look: Look, claim: Claim): Promise<Step> {
  const { claim: current, view } = await look.settlement.consult(claim);
  if (current.state !== 'settling') return 'again';
  if (current.isLeased) return 'wait';
  // Sending twice is harmless: the chain executes an authorization once.
  if (view.kind === 'unused' || view.kind === 'reverted' || look.chain === undefined) return resume(look, current);
  return refuse(RefusalCode.REFUSAL_CODE_SETTLEMENT_PENDING, 'settlement_pending');
}

/** The authorization may be missing, or under a key that is gone. */
async function resume({ authorizations, payment }: Look, claim: Claim): Promise<BeginResponse> {
  await authorizations.keep(claim, payment);
  return { outcome: { $case: 'resume', value: { claimId: claim.claimId } } };
}

async function refuseFailed({ settlement }: Look, claim: Claim): Promise<Step> {
  // A refusal that the chain does not prove may be false.
  const { claim: current } = claim.final ? { claim } : await settlement.consult(claim);
  if (current.state !== 'failed') return 'again';
  return refuse(RefusalCode.REFUSAL_CODE_CLOSED, 'settlement_failed', defined(current.paymentResponseJson));
}

/** Whether the payment accepts an offer of ours. */
function checkOffer(look: Look): Promise<Step> | undefined {
  const { mismatch } = look;
  if (mismatch !== undefined) return refuseUnlessPaid(look, { code: 'NOT_ACCEPTED', reason: mismatch });
  return secretOf(look) === undefined ? refuseUnlessPaid(look, NOT_OUR_OFFER) : undefined;
}

/**
 * Answers a payment whose payer used its identifier for another payment, or for a voucher of a channel. A payment that is used
 * is public calldata, also without a claim here: it may be of another deployment, or of the time that a restore lost. So it
 * unlocks no answer. A payment whose identifier is free passes.
 */
async function answerByIdentifier(look: Look): Promise<Step | undefined> {
  const { claims, settlement, network, payment, presented } = look;
  const { payer } = payment;
  if (presented.paymentIdentifierHash === undefined) return undefined;
  const call = await claims.findCall(payer, presented.paymentIdentifierHash);
  if (call === undefined) return undefined;
  // Anybody can make up a signature that only the token can judge, and an identifier may be guessed.
  const proof = payment.walletSignature === undefined ? undefined : await look.prove();
  if (proof?.ok === false) return refuseUnverified(look, proof.reason);
  if (call.fingerprint !== presented.fingerprint)
    return refuse(RefusalCode.REFUSAL_CODE_REUSED, IDENTIFIER_REASONS.reused);
  if (call.state === 'open') return 'wait';
  const claim = await claims.findById(call.recordId);
  const isCharged = call.state === 'charged' || claim?.state === 'settled';
  if (isCharged && (await look.mayHavePaid(payment))) return refuseReused();
  if (claim?.state === 'settled') return replayed(claim);
  if (call.state === 'charged') {
    // By a channel. It may not be on the standbys yet.
    await claims.sync();
    const response = { success: true, transaction: '', network, payer };
    const value = { claimId: call.recordId, paymentResponseJson: JSON.stringify(response) };
    return { outcome: { $case: 'replay', value } };
  }
  const current = claim && (await settlement.consult(claim)).claim;
  if (current?.state !== claim?.state || current?.final) return 'again';
  // Its gateway may be about to settle it.
  if (current?.isLeased || current?.state === 'retained') return 'wait';
  return refuse(RefusalCode.REFUSAL_CODE_SETTLEMENT_PENDING, IDENTIFIER_REASONS.pending);
}

/** @throws {ServiceError} CALLS_FROZEN */
function checkFreeze({ presented }: Look): undefined {
  if (presented.callsFrozen) throw new ServiceError('CALLS_FROZEN', 'the operator has stopped new calls');
}

function checkTimes(look: Look): Promise<Step> | undefined {
  const fault = checkValidity(look.payment.authorization, look.now(), look.presented.operationTimeoutMs);
  return fault && refuseUnlessPaid(look, fault);
}

/** @throws {ServiceError} PAYMENT_UNAVAILABLE */
function checkAdmission({ claims, admit }: Look): undefined {
  claims.admit();
  admit();
}

function checkFailures({ payer }: Look): Step | undefined {
  return payer.isThrottled ? refuse(RefusalCode.REFUSAL_CODE_THROTTLED, 'too_many_failures') : undefined;
}

/** Verifies the payment, and opens its claim. */
async function execute(look: Look): Promise<Step> {
  const { claims, facilitator, authorizations, chain, payment, presented, claim: replaced } = look;
  step.publish('verify.before');
  const [verification, balance, fromBlock] = await Promise.all([
    facilitator.verify(payment),
    chain && reach(chain.balanceOf(payment.payer)),
    chain && reach(chain.blockNumber()),
  ]);
  step.publish('verify.after');
  if (!verification.ok) {
    // An earlier request may have settled the payment in the meantime.
    const { claim: current } = await claims.find(keyOf(payment));
    if (current?.claimId !== replaced?.claimId || current?.state !== replaced?.state) return 'again';
    return refuseUnverified(look, verification.reason);
  }
  const claimId = uuidv7();
  const details = {
    ...keyOf(payment),
    claimId,
    fromBlock,
    digest: payment.digest,
    fingerprint: presented.fingerprint,
    offerSecretHash: defined(secretOf(look)),
    paymentIdentifierHash: presented.paymentIdentifierHash,
    payTo: payment.authorization.to,
    amount: payment.authorization.value,
    validBeforeS: Number(payment.authorization.validBefore),
  };
  step.publish('claim.before');
  const answer = await open(look, details, {
    authorization: authorizations.seal(claimId, payment),
    leaseMs: presented.operationTimeoutMs + look.leaseMarginMs,
    replaces: replaced?.claimId,
    balance,
    since: look.payer.readAt,
  });
  step.publish('claim.after');
  return answer;
}

/**
 * Opens a claim. Where the payer seems to have too little money, payments in flight that the chain has already deducted
 * from the balance are left out, and the claim is tried again: their claims may not be finished yet.
 */
async function open(look: Look, details: ClaimDetails, options: OpenOptions): Promise<Step> {
  const { claims, chain } = look;
  const { claimId, payer, amount } = details;
  const opened = await claims.open(details, options);
  if (opened === 'opened') return { outcome: { $case: 'execute', value: { claimId, payer } } };
  if (opened === 'changed') return 'again';
  if (chain !== undefined && options.used === undefined) {
    const { inFlight, readAt } = await claims.payerState(payer);
    const holdings = await reach(chain.holdingsOf(payer, inFlight));
    return open(look, details, { ...options, ...holdings, since: readAt });
  }
  if (opened === 'throttled') return refuse(RefusalCode.REFUSAL_CODE_THROTTLED, 'too_much_in_flight');
  const { balance } = options;
  const sentence = `the balance is ${balance}, of which ${opened.inFlight} is in flight, and this payment is of ${amount}`;
  return refuseUnlessPaid(look, { code: 'NOT_ACCEPTED', reason: explain(NO_FUNDS, sentence) });
}

/** An execution that is taken over may have been paid with another of the client's secrets. */
const secretOf = ({ presented, claim }: Look): string | undefined =>
  presented.offerSecretHash ?? claim?.offerSecretHash;

/**
 * Asks the chain before it refuses a payment without a claim. A client whose payment was settled, and then lost with the
 * database, must not be told to pay again.
 */
async function refuseUnlessPaid(
  { mayHavePaid, payment }: Look,
  fault: PaymentFault,
  isUsed = false,
): Promise<BeginResponse> {
  return (await mayHavePaid(payment, isUsed)) ? refuseReused() : refuseFault(fault);
}

const refuseUnverified = (look: Look, reason: string): Promise<BeginResponse> =>
  refuseUnlessPaid(look, { code: 'NOT_ACCEPTED', reason: explainCode(reason) }, reason === USED);

/** What callers wait for together: the payment, and the call of its identifier. */
const queuesOf = ({ paymentIdentifierHash }: Presentation, { payer, authorization }: Payment): readonly string[] =>
  [authorization.nonce, ...(paymentIdentifierHash === undefined ? [] : [paymentIdentifierHash])].map((key) =>
    `${payer} ${key}`.toLowerCase(),
  );

const keyOf = ({ payer, authorization }: Payment) => ({ payer, nonce: authorization.nonce });

/** Answers a caller whose time to wait is over, or who found no place to wait. */
async function refuseWaiting(
  claims: Claims,
  { paymentIdentifierHash }: Presentation,
  payment: Payment,
): Promise<BeginResponse> {
  const { claim } = await claims.find(keyOf(payment));
  if (claim?.state === 'settling') return refuse(RefusalCode.REFUSAL_CODE_SETTLEMENT_PENDING, 'settlement_pending');
  const isOther = paymentIdentifierHash !== undefined && !claim?.isLeased;
  const call = isOther ? await claims.findCall(payment.payer, paymentIdentifierHash) : undefined;
  if (call?.state === 'pending') return refuse(RefusalCode.REFUSAL_CODE_SETTLEMENT_PENDING, IDENTIFIER_REASONS.pending);
  const reason = call?.state === 'open' ? IDENTIFIER_REASONS.inProgress : 'payment_in_progress';
  return refuse(RefusalCode.REFUSAL_CODE_IN_PROGRESS, reason);
}
