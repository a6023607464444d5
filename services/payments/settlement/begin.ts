import { channel } from 'node:diagnostics_channel';
import { v7 as uuidv7 } from 'uuid';
import {
  type BeginResponse,
  type ClaimRecord,
  RefusalCode,
} from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import type { Logger } from '../../platform/process/logger.ts';
import type { Chain } from '../chain/chain.ts';
import type { Claim, ClaimDetails, Claims, OpenOptions } from '../claims/claims.ts';
import { type Caller, waitForClaim } from '../claims/wait-for-claim.ts';
import { type Facilitator, FacilitatorError } from '../facilitator/facilitator.ts';
import { checkValidity, type Payment, type PaymentFault, type ReadPayment } from '../payment/payment.ts';
import type { Terms } from '../payment/terms.ts';
import type { Settlement } from './settlement.ts';

const step = channel('tollhouse:step');

export interface BeginOptions {
  readonly terms: Pick<Terms, 'network' | 'asset'>;
  readonly readPayment: (paymentJson: string, amount: string) => ReadPayment;
  readonly claims: Claims;
  readonly facilitator: Facilitator;
  readonly chain: Chain | undefined;
  readonly settlement: Settlement;
  /** How long after the operation's own time its claim may be taken over. */
  readonly leaseMarginMs: number;
  readonly now: () => number;
  readonly logger: Logger;
}

export interface Presentation {
  readonly paymentJson: string;
  readonly amount: string;
  /** Hexadecimal, as are the hashes below. */
  readonly fingerprint: string;
  /** undefined: the payment echoes no secret of an offer of ours. */
  readonly offerSecretHash: string | undefined;
  readonly paymentIdentifierHash: string | undefined;
  readonly operationTimeoutMs: number;
}

/** `mismatch`: why the payment is not for what is offered now. */
type Presented = Presentation & { readonly mismatch: string | undefined };

const NOT_OUR_OFFER: PaymentFault = { code: 'NOT_ACCEPTED', reason: 'invalid_payment_requirements' };

/** The claim changed, or is busy. */
type Step = BeginResponse | 'again' | 'wait';

export function createBegin(
  options: BeginOptions,
): (presented: Presentation, caller: Caller) => Promise<BeginResponse> {
  const { terms, readPayment, claims, facilitator, chain, settlement, now, logger } = options;

  const toRecord = (details: ClaimDetails): ClaimRecord => ({
    network: terms.network,
    asset: terms.asset,
    payer: details.payer,
    nonce: details.nonce,
    amount: details.amount,
    validBeforeS: BigInt(details.validBeforeS),
    digest: Buffer.from(details.digest, 'hex'),
    fingerprint: Buffer.from(details.fingerprint, 'hex'),
    offerSecretHash: Buffer.from(details.offerSecretHash, 'hex'),
    paymentIdentifierHash:
      details.paymentIdentifierHash === undefined ? undefined : Buffer.from(details.paymentIdentifierHash, 'hex'),
    fromBlock: details.fromBlock,
  });

  /** What a new claim needs to know of the chain, asked beside the verification. */
  const survey = async (payment: Payment) => {
    if (chain === undefined) return { balance: undefined, fromBlock: undefined };
    try {
      const [balance, fromBlock] = await Promise.all([chain.balanceOf(payment.payer), chain.blockNumber()]);
      return { balance, fromBlock };
    } catch (error) {
      throw new FacilitatorError('the node cannot be reached', { cause: error });
    }
  };

  /**
   * Asks the chain before it refuses a payment that has no claim: a client whose payment was settled, and then lost by
   * every store, must not be told to pay again.
   */
  async function refuseUnlessPaid(payment: Payment, fault: PaymentFault): Promise<BeginResponse> {
    if (chain === undefined) return refuseFault(fault);
    const question = { ...keyOf(payment), amount: payment.authorization.value };
    const mayHavePaid = await chain.mayHavePaid(question).catch((cause: unknown) => {
      throw new FacilitatorError('the node cannot be reached', { cause });
    });
    if (!mayHavePaid) return refuseFault(fault);
    logger.warn(keyOf(payment), 'a payment was settled on the chain, and there is no claim of it');
    return refuse(RefusalCode.REFUSAL_CODE_REUSED, 'payment_reused');
  }

  /**
   * Opens a claim. Before it takes a payer for one without enough money, it leaves out the payments in flight that the
   * chain has already taken from the balance: their claims may not be finished yet.
   */
  async function open(details: ClaimDetails, openOptions: OpenOptions) {
    const opened = await claims.open(details, openOptions);
    if (opened !== 'throttled' || chain === undefined) return opened;
    const nonces = await claims.inFlight(details.payer);
    const holdings = await chain.holdingsOf(details.payer, nonces).catch((cause: unknown) => {
      throw new FacilitatorError('the node cannot be reached', { cause });
    });
    return holdings.used.length === 0 ? opened : claims.open(details, { ...openOptions, ...holdings });
  }

  async function execute(presented: Presented, payment: Payment, replaced: Claim | undefined): Promise<Step> {
    const offerSecretHash = presented.offerSecretHash ?? replaced?.offerSecretHash;
    const { mismatch } = presented;
    if (mismatch !== undefined) return refuseUnlessPaid(payment, { code: 'NOT_ACCEPTED', reason: mismatch });
    if (offerSecretHash === undefined) return refuseUnlessPaid(payment, NOT_OUR_OFFER);
    const fault = checkValidity(payment.authorization, now(), presented.operationTimeoutMs);
    if (fault) return refuseUnlessPaid(payment, fault);
    claims.admit();
    if (await claims.isThrottled(payment.payer)) return refuse(RefusalCode.REFUSAL_CODE_THROTTLED, 'too_many_failures');
    step.publish('verify.before');
    const [verification, seen] = await Promise.all([facilitator.verify(payment), survey(payment)]);
    step.publish('verify.after');
    if (!verification.ok) {
      // Settled in the meantime, by a request that came before this one?
      const current = await claims.find(keyOf(payment));
      if (current?.claimId !== replaced?.claimId || current?.state !== replaced?.state) return 'again';
      return refuseUnlessPaid(payment, { code: 'NOT_ACCEPTED', reason: verification.reason });
    }
    const claimId = uuidv7();
    const details = {
      ...keyOf(payment),
      claimId,
      digest: payment.digest,
      fingerprint: presented.fingerprint,
      offerSecretHash,
      paymentIdentifierHash: presented.paymentIdentifierHash,
      amount: payment.authorization.value,
      validBeforeS: Number(payment.authorization.validBefore),
      fromBlock: seen.fromBlock,
    };
    const leaseMs = presented.operationTimeoutMs + options.leaseMarginMs;
    step.publish('claim.before');
    const opened = await open(details, { leaseMs, replaces: replaced?.claimId, balance: seen.balance });
    step.publish('claim.after');
    if (opened === 'throttled') return refuse(RefusalCode.REFUSAL_CODE_THROTTLED, 'too_much_in_flight');
    if (opened === 'changed') return 'again';
    return { outcome: { $case: 'execute', value: { claimId, payer: payment.payer, record: toRecord(details) } } };
  }

  async function resume(claim: Claim): Promise<Step> {
    const { claim: current, standing } = await settlement.consult(claim);
    if (current.state !== 'settling') return 'again';
    if (current.isLeased) return 'wait';
    // Sending twice is harmless: the chain takes an authorization once.
    if (standing.kind === 'unused' || chain === undefined) return resumed(current);
    return refuse(RefusalCode.REFUSAL_CODE_SETTLEMENT_PENDING, 'settlement_pending');
  }

  async function closed(claim: Claim): Promise<Step> {
    // A refusal that is not proven may have been a lie.
    const { claim: current } = claim.final ? { claim } : await settlement.consult(claim);
    if (current.state !== 'failed') return 'again';
    const paymentResponseJson = current.paymentResponseJson ?? '';
    return refuse(RefusalCode.REFUSAL_CODE_CLOSED, 'settlement_failed', paymentResponseJson);
  }

  async function advance(presented: Presented, payment: Payment): Promise<Step> {
    const claim = await claims.find(keyOf(payment));
    if (claim === undefined) return execute(presented, payment, undefined);
    if (!isSameCall(claim, presented, payment)) return refuse(RefusalCode.REFUSAL_CODE_REUSED, 'payment_reused');
    switch (claim.state) {
      case 'executing':
        return claim.isLeased ? 'wait' : execute(presented, payment, claim);
      case 'settling':
        return resume(claim);
      case 'retained':
      case 'unsent':
        return resumed(claim);
      case 'settled':
        return {
          outcome: {
            $case: 'replay',
            value: { claimId: claim.claimId, paymentResponseJson: claim.paymentResponseJson ?? '' },
          },
        };
      case 'failed':
        return closed(claim);
    }
  }

  return async (presented, caller) => {
    const read = readPayment(presented.paymentJson, presented.amount);
    if (!read.ok) return refuseFault(read);
    const { payment, mismatch } = read;
    try {
      const outcome = await waitForClaim({
        claims,
        key: keyOf(payment),
        caller,
        now,
        queue: true,
        look: () => advance({ ...presented, mismatch }, payment),
      });
      return outcome ?? (await refuseWaiting(claims, payment));
    } catch (error) {
      if (!(error instanceof FacilitatorError)) throw error;
      logger.warn({ err: error }, 'facilitator failure');
      return refuse(RefusalCode.REFUSAL_CODE_FACILITATOR_FAILURE, 'facilitator_failure');
    }
  };
}

const keyOf = ({ payer, authorization }: Payment) => ({ payer, nonce: authorization.nonce });

/**
 * The same payment for the same request, by someone who holds it. A settled authorization is public calldata, so knowing
 * it proves nothing. The secret of the offer and the client's own identifier never reach the chain.
 */
function isSameCall(claim: Claim, presented: Presentation, payment: Payment): boolean {
  const holds =
    claim.offerSecretHash === presented.offerSecretHash ||
    (claim.paymentIdentifierHash !== undefined && claim.paymentIdentifierHash === presented.paymentIdentifierHash);
  return holds && claim.digest === payment.digest && claim.fingerprint === presented.fingerprint;
}

function resumed({ claimId }: Claim): BeginResponse {
  return { outcome: { $case: 'resume', value: { claimId } } };
}

function refuse(code: RefusalCode, reason: string, paymentResponseJson?: string): BeginResponse {
  return { outcome: { $case: 'refuse', value: { code, reason, paymentResponseJson } } };
}

function refuseFault({ code, reason }: PaymentFault): BeginResponse {
  return refuse(
    code === 'MALFORMED' ? RefusalCode.REFUSAL_CODE_MALFORMED : RefusalCode.REFUSAL_CODE_NOT_ACCEPTED,
    reason,
  );
}

async function refuseWaiting(claims: Claims, payment: Payment): Promise<BeginResponse> {
  const claim = await claims.find(keyOf(payment));
  if (claim?.state === 'settling') return refuse(RefusalCode.REFUSAL_CODE_SETTLEMENT_PENDING, 'settlement_pending');
  return refuse(RefusalCode.REFUSAL_CODE_IN_PROGRESS, 'payment_in_progress');
}
