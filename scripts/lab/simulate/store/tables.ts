import type { RetainedCall } from '../../../../services/backoffice/retention/retained-call.ts';
import type { StorePosition } from '../../../../services/platform/redis/redis-guard.ts';
import type { PaymentClaimRow } from './payment-claim-row.ts';

export interface ObligationRow {
  readonly recordId: string;
  dueAtMs: number;
  attempts: number;
}

export interface AuthorizationRow {
  readonly claimId: string;
  readonly validBeforeS: number;
  readonly paymentJson: string;
}

/** The tables of PostgreSQL that decide about money, in memory. A statement reads and changes them at once. */
export interface Tables {
  readonly retained: Map<string, RetainedCall>;
  readonly obligations: Map<string, ObligationRow>;
  readonly claims: Map<string, PaymentClaimRow>;
  readonly authorizations: Map<string, AuthorizationRow>;
  /** By network. */
  readonly claimsWitness: Map<string, StorePosition>;
  /** The clock of the database. */
  readonly clockMs: () => number;
}

export const createTables = (clockMs: () => number): Tables => ({
  retained: new Map(),
  obligations: new Map(),
  claims: new Map(),
  authorizations: new Map(),
  claimsWitness: new Map(),
  clockMs,
});
