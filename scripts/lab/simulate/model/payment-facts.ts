/* What a run of payments left behind. The model decides by these facts alone, and knows no code of the product. */

export interface PaymentAnswer {
  /** Names the request that was sent with the payment. */
  readonly sentTag: string;
  /** Undefined when no answer came. */
  readonly answer:
    | {
        readonly outcome: number | string;
        readonly headers: Readonly<Record<string, string>>;
        readonly body: string;
      }
    | undefined;
}

/** One authorization that a client signed. Addresses and nonces are in lower case. */
export interface SignedPayment {
  readonly payer: string;
  readonly nonce: string;
  readonly amount: bigint;
  readonly tag: string;
  /** The payer's own, which makes payments one call. */
  readonly identifier: string | undefined;
  readonly answers: PaymentAnswer[];
  /** The answer to each of its requests, by tag, after everything had come to rest. */
  readonly last: Map<string, PaymentAnswer['answer']>;
  /** Whether somebody else than the service sent the authorization to the chain. */
  isFrontRun: boolean;
  /** Whether its payer, or a stranger, acted on the chain besides. */
  isMeddled: boolean;
  readonly signedMs: number;
  readonly validBeforeMs: number;
}

/** A claim whose answer was kept. */
export interface StoredClaim {
  readonly claimId: string;
  readonly payer: string;
  readonly nonce: string;
  readonly openedMs: number;
  readonly outcome: 'settled' | 'failed' | undefined;
  /** Whether a failure is proven for ever. */
  readonly isFinal: boolean;
  readonly isFinalized: boolean;
  readonly isLost: boolean;
  /** Whether somebody still has to ask what became of it. */
  readonly isOwed: boolean;
  /** The retained answer. */
  readonly body: string | undefined;
}

/** A transfer by authorization on the canonical chain. */
export interface CanonicalTransfer {
  readonly payer: string;
  readonly nonce: string;
  readonly to: string;
  readonly value: bigint;
  readonly transaction: string;
  readonly minedMs: number;
}

export interface PaymentFacts {
  readonly payTo: string;
  readonly payments: readonly SignedPayment[];
  readonly claims: readonly StoredClaim[];
  readonly transfers: readonly CanonicalTransfer[];
  /** Ids of the retained answers that no claim pays for. */
  readonly orphans: readonly string[];
  /** What each payer had in the beginning. */
  readonly funds: ReadonlyMap<string, bigint>;
  /** A process that ended leaves its execution without an end. */
  readonly executions: readonly { readonly tag: string; readonly atMs: number; readonly endedMs?: number }[];
  /** For how long a claim belongs to its execution. */
  readonly leaseMs: number;
  /** When the database crashed: it may forget executions. */
  readonly crashesMs: readonly number[];
  /** Whether the chain forgot blocks. */
  readonly isReorganized: boolean;
}
