import type { Chain } from '../chain/chain.ts';
import type { Claims } from '../claims/claims.ts';
import type { Facilitator } from '../facilitator/facilitator.ts';
import type { Context } from '../payment/context.ts';
import type { PaymentReader } from '../payment/payment.ts';
import type { KeptAuthorizations } from './kept-authorizations.ts';

/** What the parts share that take payments and settle them. */
export interface SettlingContext extends Context {
  readonly claims: Claims;
  readonly facilitator: Facilitator;
  readonly chain: Chain | undefined;
  readonly authorizations: KeptAuthorizations;
  readonly readPayment: PaymentReader;
  /** How long an attempt of the facilitator may take. */
  readonly settleTimeoutMs: number;
  /** How long after the operation's own time its claim may be taken over. */
  readonly leaseMarginMs: number;
  /** @throws {ServiceError} PAYMENT_UNAVAILABLE while settlements could not be paid for */
  readonly admit: () => void;
  /** Runs after a settlement. The sandbox saves its chain here, in the background. */
  readonly onSettled?: (() => void) | undefined;
}
