import { BATCH_SETTLEMENT_ADDRESS, BATCH_SETTLEMENT_DOMAIN, voucherTypes } from '@x402/evm';
import { computeChannelId } from '@x402/evm/batch-settlement/client';
import test from 'ava';
import { type Hex, hashTypedData, toHex } from 'viem';
import { createChannelHasher } from '../../../../services/payments/contract/channel-ids.ts';
import { fc } from '../../../kit/fast-check.ts';

const bytes = (size: number) => fc.uint8Array({ minLength: size, maxLength: size }).map((array): Hex => toHex(array));
const configs = fc.record({
  payer: bytes(20),
  payerAuthorizer: bytes(20),
  receiver: bytes(20),
  receiverAuthorizer: bytes(20),
  token: bytes(20),
  withdrawDelaySeconds: fc.integer({ min: 0, max: 2 ** 40 - 1 }),
  salt: bytes(32),
});

test('the id of a channel is that of the package, on every chain', (t) => {
  fc.assert(
    fc.property(configs, fc.integer({ min: 1, max: 2 ** 40 }), (config, chainId) => {
      const { withdrawDelaySeconds: withdrawDelay, ...addresses } = config;
      const hasher = createChannelHasher({ chainId: BigInt(chainId), contract: BATCH_SETTLEMENT_ADDRESS });
      t.is(hasher.idOf(config), computeChannelId({ ...addresses, withdrawDelay }, chainId));
    }),
  );
});

test('the digest of a voucher is that of viem', (t) => {
  const hasher = createChannelHasher({ chainId: 8453n, contract: BATCH_SETTLEMENT_ADDRESS.toLowerCase() });
  fc.assert(
    fc.property(bytes(32), fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }), (channelId, maxClaimableAmount) => {
      const digest = hashTypedData({
        domain: { ...BATCH_SETTLEMENT_DOMAIN, chainId: 8453, verifyingContract: BATCH_SETTLEMENT_ADDRESS },
        types: voucherTypes,
        primaryType: 'Voucher',
        message: { channelId, maxClaimableAmount },
      });
      t.is(toHex(hasher.voucherDigest(channelId, maxClaimableAmount)), digest);
    }),
  );
});
