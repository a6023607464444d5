import type { Hex } from 'viem';

/**
 * executing → settling → settled | failed, and settling → unsent → settling. `retained` is an execution whose gateway
 * did not go on to settle. `unsent` is a settlement that was refused before anything was sent. A released claim is gone.
 */
export type ClaimState = 'executing' | 'retained' | 'settling' | 'unsent' | 'settled' | 'failed';

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
  readonly offerSecretHash: string;
  readonly paymentIdentifierHash: string | undefined;
  /** Atomic units of the asset. */
  readonly amount: bigint;
  readonly validBeforeS: number;
  /** Where to begin looking for the settlement, if a chain is known. */
  readonly fromBlock: bigint | undefined;
}

export interface Claim extends ClaimDetails {
  readonly state: ClaimState;
  /** Whether the execution, or the attempt to settle, is taken to be alive. */
  readonly isLeased: boolean;
  /** The transaction that was signed last, noted before it was sent. */
  readonly transaction: Hex | undefined;
  /** settled and failed: JSON text of an x402 SettleResponse. */
  readonly paymentResponseJson: string | undefined;
  /** failed: whether the chain proves that it can never settle. */
  readonly final: boolean;
}

export type ClaimRef = PaymentKey & { readonly claimId: string };

export interface OpenOptions {
  readonly leaseMs: number;
  /** The claim to take over: one that is executing under a lease that has ended. */
  readonly replaces: string | undefined;
  /** What the payer was seen to hold; undefined where no chain is known. */
  readonly balance: bigint | undefined;
  /**
   * Nonces of the payer's authorizations that were used when the balance was seen, none by default. The balance lacks
   * their amounts already, so they do not count as in flight.
   */
  readonly used?: readonly Hex[];
}

export interface Attempt {
  readonly attemptId: string;
  readonly leaseMs: number;
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
  | {
      readonly state: 'failed';
      readonly paymentResponseJson: string;
      readonly final: boolean;
      /** Whether the payer took the money away after the operation had been executed. */
      readonly isPayersFault: boolean;
    }
  | { readonly state: 'unsent' }
  /** Sent or perhaps sent; stays `settling` and ends the attempt's lease. */
  | { readonly state: 'pending' };

/** Every transition is atomic. Methods throw ServiceError PAYMENT_UNAVAILABLE when a store does not answer. */
export interface Claims {
  find(key: PaymentKey): Promise<Claim | undefined>;
  findById(claimId: string): Promise<Claim | undefined>;
  /** @throws {ServiceError} PAYMENT_UNAVAILABLE while no claim may be opened */
  admit(): void;
  /** Whether five executions or settlements failed within the hour by this payer's fault. */
  isThrottled(payer: Hex): Promise<boolean>;
  /** `changed`: the payment's claim is not the one that was expected; look again. */
  open(details: ClaimDetails, options: OpenOptions): Promise<'opened' | 'changed' | 'throttled'>;
  /** The nonces of a payer's claims that are not resolved. */
  inFlight(payer: Hex): Promise<readonly Hex[]>;
  /** Gives an executing claim back; anything else is left alone. Counts a failure that the caller caused. */
  release(ref: ClaimRef, isCausedByCaller: boolean): Promise<void>;
  startSettling(ref: ClaimRef, attempt: Attempt): Promise<StartOutcome>;
  /**
   * Without an attempt the transaction replaces one of an attempt that is over.
   * @returns false when the attempt has lost its lease, or another one is alive: then nothing may be sent
   */
  noteTransaction(ref: ClaimRef, attemptId: string | undefined, transaction: Hex): Promise<boolean>;
  /** A proven result is taken from anyone, any other one only from the attempt that is current. */
  finish(ref: ClaimRef, attemptId: string | undefined, result: Result): Promise<void>;
  /** Records how a resolved claim ended; leaves any other alone. */
  recordOutcome(claim: Claim): Promise<void>;
  /** A place among the few that may wait for this payment; undefined when they are taken. */
  enterQueue(key: PaymentKey, waitMs: number): Promise<(() => Promise<void>) | undefined>;
  /** Hears of changes of a payment's claim from now on. */
  watch(key: PaymentKey): Promise<Watch>;
}

export interface Watch {
  /** Ends at the next change, or after `timeoutMs`. */
  changed(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}
