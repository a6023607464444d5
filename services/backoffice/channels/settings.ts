import { type Static, Type } from 'typebox';

/** Settings of the recurring work on payment channels. */
export const ChannelJobConfig = {
  CHANNEL_CLAIM_AFTER_S: Type.Integer({
    default: 3600,
    minimum: 1,
    maximum: 2_592_000,
    description:
      'seconds after which what a channel was charged is claimed on the chain; keep it far below X402_WITHDRAW_DELAY_S',
  }),
  CHANNEL_CLAIM_ABOVE: Type.Integer({
    default: 1_000_000,
    minimum: 1,
    maximum: 1_000_000_000_000,
    description: 'micro-USD that a channel was charged and not claimed, from which on it is claimed at once',
  }),
  CHANNEL_CLAIM_INTERVAL_MS: Type.Integer({
    default: 10_000,
    minimum: 100,
    maximum: 600_000,
    description: 'milliseconds between two searches for channels to claim',
  }),
  CHANNEL_WATCH_INTERVAL_MS: Type.Integer({
    default: 10_000,
    minimum: 100,
    maximum: 600_000,
    description: 'milliseconds between two reads of what changed in the contract of channels',
  }),
} as const;

const Settings = Type.Object(ChannelJobConfig);
export type ChannelJobSettings = Static<typeof Settings>;
