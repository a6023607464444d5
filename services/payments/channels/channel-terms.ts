import type { Hex } from 'viem';

/** The terms of channels. They are fixed while the service runs. */
export interface ChannelTerms {
  readonly receiverAuthorizer: Hex;
  readonly withdrawDelaySeconds: number;
  /** Atomic units. */
  readonly minDeposit: bigint;
}
