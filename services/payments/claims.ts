import type { Hex } from 'viem';

/**
 * executing → settling → settled | failed, and settling → unsent → settling. `unsent` is a settlement that was
 * refused before anything was sent. A released claim is gone.
 */
export type ClaimState = 'executing' | 'settling' | 'unsent' | 'settled' | 'failed';

/** What identifies a payment on one network and asset: the authorization nonce of its payer. */
export interface PaymentKey {
  readonly payer: Hex;
  readonly nonce: Hex;
}

/** Metadata only: no signature, header or body. Hashes are hexadecimal. */
export interface ClaimDetails extends PaymentKey {
  /** UUIDv7, new for every attempt to execute. */
  readonly claimId: string;
  readonly digest: string;
  readonly fingerprint: string;
  readonly headerHash: string;
  readonly paymentIdentifier: string | undefined;
  /** Atomic units of the asset. */
  readonly amount: bigint;
  readonly validBeforeS: number;
  /** Where to begin looking for the settlement, if a chain is known. */
  readonly fromBlock: bigint | undefined;
}

export interface Claim extends ClaimDetails {
  readonly state: ClaimState;
  /** Until when an execution, or an attempt to settle, is taken to be alive. */
  readonly leaseUntilMs: number;
  /** The transaction that was signed last, noted before it was sent. */
  readonly transaction: Hex | undefined;
  /** settled and failed: JSON text of an x402 SettleResponse. */
  readonly paymentResponseJson: string | undefined;
  /** failed: whether the chain proves that it can never settle. */
  readonly final: boolean;
}

export type ClaimRef = PaymentKey & { readonly claimId: string };

export interface OpenOptions {
  readonly leaseUntilMs: number;
  /** The claim to take over: one that is executing under a lease that has ended. */
  readonly replaces: string | undefined;
  /** What the payer was seen to hold; undefined where no chain is known. */
  readonly balance: bigint | undefined;
}

export interface Attempt {
  readonly attemptId: string;
  readonly leaseUntilMs: number;
}

/** `before` is the claim as it was. */
export type StartOutcome =
  | { readonly kind: 'started'; readonly before: Claim }
  /** Another attempt is alive. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'resolved'; readonly claim: Claim }
  /** Released, taken over, or never there. */
  | { readonly kind: 'gone' };

export type Result =
  | { readonly state: 'settled'; readonly paymentResponseJson: string }
  | { readonly state: 'failed'; readonly paymentResponseJson: string; readonly final: boolean }
  | { readonly state: 'unsent' }
  /** Sent or perhaps sent; stays `settling` and ends the attempt's lease. */
  | { readonly state: 'pending' };

/** Every transition is atomic. Methods throw ServiceError PAYMENT_UNAVAILABLE when the store does not answer. */
export interface Claims {
  find(key: PaymentKey): Promise<Claim | undefined>;
  findById(claimId: string): Promise<Claim | undefined>;
  /** Whether five executions or settlements of this payer failed within the hour. */
  isThrottled(payer: Hex): Promise<boolean>;
  /** `changed`: the payment's claim is not the one that was expected; look again. */
  open(details: ClaimDetails, options: OpenOptions): Promise<'opened' | 'changed' | 'throttled'>;
  /** Gives an executing claim back and counts a failure; anything else is left alone. */
  release(ref: ClaimRef): Promise<void>;
  startSettling(ref: ClaimRef, attempt: Attempt): Promise<StartOutcome>;
  /** @returns false when the attempt has lost its lease and must not send. */
  noteTransaction(ref: ClaimRef, attemptId: string, transaction: Hex): Promise<boolean>;
  /** A proven result is taken from anyone, any other one only from the attempt that is current. */
  finish(ref: ClaimRef, attemptId: string | undefined, result: Result): Promise<void>;
  /** A place among the few that may wait for this payment; undefined when they are taken. */
  enterQueue(key: PaymentKey, untilMs: number): Promise<(() => Promise<void>) | undefined>;
  /** Hears of changes of a payment's claim from now on. */
  watch(key: PaymentKey): Promise<Watch>;
}

export interface Watch {
  /** Ends at the next change, or after `timeoutMs`. */
  changed(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}
