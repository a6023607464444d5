import type { Hex } from 'viem';

/**
 * executing → settling → settled | failed, and settling → unsent → settling. `retained`: the result is retained, and the
 * gateway did not start the settlement. `unsent`: the settlement was refused before anything was sent. A released claim
 * is deleted.
 */
export const CLAIM_STATES = ['executing', 'retained', 'settling', 'unsent', 'settled', 'failed'] as const;
export type ClaimState = (typeof CLAIM_STATES)[number];

/** Identifies a payment on one network and asset: the payer and the nonce of its authorization. */
export interface PaymentKey {
  readonly payer: Hex;
  readonly nonce: Hex;
}

/** Metadata only: the signature is sealed beside it, and no header or body is stored. Hashes are hexadecimal. */
export interface ClaimDetails extends PaymentKey {
  /** UUIDv7, new for every attempt to execute. */
  readonly claimId: string;
  readonly digest: string;
  readonly fingerprint: string;
  readonly offerSecretHash: string;
  readonly paymentIdentifierHash: string | undefined;
  /** Whom the authorization pays. Later payments may be for another address. */
  readonly payTo: Hex;
  /** Atomic units of the asset. */
  readonly amount: bigint;
  readonly validBeforeS: number;
  /** Block from which to search for the settlement; undefined where no chain was known. */
  readonly fromBlock: bigint | undefined;
}

export interface Claim extends ClaimDetails {
  readonly state: ClaimState;
  /** Whether the execution, or the attempt to settle, still has its lease. */
  readonly isLeased: boolean;
  /** The last signed transaction, noted before it was sent. */
  readonly transaction: Hex | undefined;
  /** Set when settled or failed: JSON text of an x402 SettleResponse. */
  readonly paymentResponseJson: string | undefined;
  /** For a failed claim: whether the chain proves that it can never settle. */
  readonly final: boolean;
}

/**
 * A call that has an identifier of its payer. `open`: in progress. `pending`: its answer is kept, and whether it is paid is not
 * known. `charged`: paid.
 */
export interface IdentifiedCall {
  /** The id of the claim, or of the charge of a channel. */
  readonly recordId: string;
  readonly fingerprint: string;
  readonly state: 'open' | 'pending' | 'charged';
}

/** Who signed a transaction, and its nonce. */
export interface SignerNonce {
  readonly signer: Hex;
  readonly nonce: number;
}

export type ClaimRef = PaymentKey & { readonly claimId: string };

/** The signed authorization of a claim, encrypted. */
export interface SealedAuthorization {
  readonly keyId: string;
  readonly sealed: Buffer;
}

export interface OpenOptions {
  readonly authorization: SealedAuthorization;
  readonly leaseMs: number;
  /** Id of the claim to take over: an execution whose lease has ended. */
  readonly replaces: string | undefined;
  /** Observed balance of the payer; undefined where no chain is known. */
  readonly balance: bigint | undefined;
  /** When the payer was read, before the balance, which may still include what was settled since; the present by default. */
  readonly since?: Date;
  /**
   * Nonces of the payer's authorizations that were used when the balance was read; none by default. The balance no longer
   * includes their amounts, so they do not count as in flight.
   */
  readonly used?: readonly Hex[];
}

export interface PayerState {
  /** Whether the payer caused five failed executions or settlements within the last hour. */
  readonly isThrottled: boolean;
  /** The nonces of the payer's claims that are not resolved. */
  readonly inFlight: readonly Hex[];
  /** When it was read, by the clock of the database. */
  readonly readAt: Date;
}

export interface Found {
  readonly claim: Claim | undefined;
  readonly payer: PayerState;
}

/**
 * `changed`: the payment has another claim than expected, or its identifier another call; find them again. `throttled`: the
 * payer failed too often, or has too many claims in flight. An object: the balance does not cover the amount and what is in flight.
 */
export type Opened = 'opened' | 'changed' | 'throttled' | { readonly inFlight: bigint };

export interface Attempt {
  readonly attemptId: string;
  readonly leaseMs: number;
}

/** `before`: the claim before the attempt. */
export type StartOutcome =
  | {
      readonly kind: 'started';
      readonly before: Claim;
      /** undefined: none is stored. */
      readonly authorization: SealedAuthorization | undefined;
    }
  /** Another attempt has the lease. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'resolved'; readonly claim: Claim }
  /** Released, taken over, never opened, or without an answer that is kept. */
  | { readonly kind: 'gone' };

export type Result =
  | {
      readonly state: 'settled';
      readonly paymentResponseJson: string;
      /** The transaction that settled it, where it is known. */
      readonly transaction?: Hex;
    }
  | {
      readonly state: 'failed';
      readonly paymentResponseJson: string;
      readonly final: boolean;
      /** Whether the payer removed the money after the operation was executed. */
      readonly isPayersFault: boolean;
    }
  | { readonly state: 'unsent' }
  /** Sent, or possibly sent. The claim stays `settling`, and the attempt's lease ends. */
  | { readonly state: 'pending' };

/**
 * The claims of payments. Every transition is atomic. Methods throw ServiceError PAYMENT_UNAVAILABLE when the database
 * does not answer.
 */
export interface Claims {
  find(key: PaymentKey): Promise<Found>;
  findById(claimId: string): Promise<Claim | undefined>;
  /** The call for which the payer used an identifier; undefined if the identifier is free. */
  findCall(payer: Hex, identifierHash: string): Promise<IdentifiedCall | undefined>;
  /** Resolves once everything that was found before is durable. */
  sync(): Promise<void>;
  /** @throws {ServiceError} PAYMENT_UNAVAILABLE while no claim may be opened */
  admit(): void;
  payerState(payer: Hex): Promise<PayerState>;
  open(details: ClaimDetails, options: OpenOptions): Promise<Opened>;
  /** Counts a failure that a payer caused otherwise than with a claim. */
  countFailure(payer: Hex): Promise<void>;
  /** Releases an executing claim and leaves any other unchanged. Counts a failure that the caller caused. */
  release(ref: Pick<ClaimRef, 'claimId'>, isCausedByCaller: boolean): Promise<void>;
  startSettling(ref: Pick<ClaimRef, 'claimId'>, attempt: Attempt): Promise<StartOutcome>;
  /**
   * Notes the transaction of a claim, and stores it with the signer's others.
   * @returns false when another attempt has the lease: then nothing may be sent
   */
  noteTransaction(ref: ClaimRef, attemptId: string, transaction: Hex, signed: SignerNonce): Promise<boolean>;
  /**
   * Stores a proven result from any caller, and any other result only from the current attempt.
   * @returns whether the claim has this result now
   */
  finish(ref: ClaimRef, attemptId: string | undefined, result: Result): Promise<boolean>;
  /** Takes up to `limit` claims about which it is time to ask. The next time comes later and later. @returns their ids */
  takeDue(limit: number): Promise<readonly string[]>;
  /** Deletes the executions that can no longer be taken over, unless they may have been settled before a restore. */
  dropExecutions(signal: AbortSignal): Promise<void>;
  /**
   * Takes one of the few places to wait at each of these keys; undefined when all places of one are taken.
   * @returns a function that leaves them
   */
  enterQueues(keys: readonly string[]): (() => void) | undefined;
}
