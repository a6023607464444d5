import { decodePaymentRequiredHeader } from '@x402/core/http';
import test from 'ava';
import { createOffer } from '../../../../gateway/access/offer/offer.ts';
import { createOfferSecrets } from '../../../../gateway/access/offer/offer-secret.ts';
import { operations } from '../../../../gateway/operations/index.ts';
import { openChallenger } from '../challenge/fixture.ts';

const ORIGIN = new URL('https://payments-and-trials.api.example-of-a-long-name.com');
const secrets = createOfferSecrets({ keys: [Buffer.alloc(32, 1)], deploymentId: 'test' });
const MAX_HEADER_BYTES = 6 * 1024;
const TERMS = {
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  assetName: 'USD Coin',
  assetVersion: '2',
  payTo: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  maxTimeoutSeconds: 60,
  chains: ['eip155:31337', 'eip155:8453'],
};
const CHANNELS = {
  receiverAuthorizer: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  withdrawDelaySeconds: 2_592_000,
  minDeposit: '1000000',
  contract: '0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003',
  chainId: 8453n,
};
const CORRECTION = {
  channelState: {
    channelId: `0x${'1'.repeat(64)}`,
    chargedCumulativeAmount: String(2n ** 53n),
    balance: String(2n ** 53n),
    totalClaimed: String(2n ** 53n),
    withdrawRequestedAt: 1_900_000_000,
    refundNonce: '1000000',
  },
  voucherState: { signedMaxClaimable: String(2n ** 53n), signature: `0x${'2'.repeat(130)}` },
};

const challenge = (uri: string) => {
  const bodyDigest = 'a'.repeat(64);
  return JSON.stringify(openChallenger().challenger.issue({ uri, domain: ORIGIN.host, method: 'POST', bodyDigest }));
};

test('every header of a 402 is smaller than 6 KB, with channels too', (t) => {
  for (const operation of operations) {
    const offer = createOffer({ operation, origin: ORIGIN, terms: { ...TERMS, channels: CHANNELS }, secrets });
    const headers = {
      challenge: offer.challenge(challenge(offer.uri)).header,
      probe: offer.probe(true).header,
      denial: offer.denial('insufficient_balance', 12_345n).header,
      correction: offer.payment('invalid_batch_settlement_evm_cumulative_amount_mismatch', CORRECTION).header,
    };
    for (const [name, header] of Object.entries(headers)) {
      t.true(header.length < MAX_HEADER_BYTES, `${operation.name}, ${name}: ${header.length}`);
      t.is(decodePaymentRequiredHeader(header).accepts.length, 2);
    }
  }
});

for (const operation of operations) {
  test(`channels are offered after the exact payment, with the same secret: ${operation.name}`, (t) => {
    const offer = createOffer({ operation, origin: ORIGIN, terms: { ...TERMS, channels: CHANNELS }, secrets });
    for (const header of [offer.challenge('{}').header, offer.probe(false).header, offer.payment('no').header]) {
      const [exact, channel, ...others] = decodePaymentRequiredHeader(header).accepts;
      const offerSecret = exact?.extra['offerSecret'];
      t.truthy(secrets.hashOf(offerSecret));
      const common = {
        network: TERMS.network,
        amount: String(operation.priceMicroUsd),
        asset: TERMS.asset,
        payTo: TERMS.payTo,
        maxTimeoutSeconds: 60,
      };
      const extra = { name: 'USD Coin', version: '2', offerSecret };
      const ofChannel = {
        receiverAuthorizer: CHANNELS.receiverAuthorizer,
        withdrawDelay: 2_592_000,
        minDeposit: '1000000',
      };
      const [exactEntry, channelEntry]: readonly unknown[] = [exact, channel];
      t.deepEqual(exactEntry, { scheme: 'exact', ...common, extra });
      t.deepEqual(channelEntry, { scheme: 'batch-settlement', ...common, extra: { ...extra, ...ofChannel } });
      t.deepEqual(others, []);
    }
  });
}

test('without terms of channels, only the exact payment is offered', (t) => {
  for (const operation of operations) {
    const offer = createOffer({ operation, origin: ORIGIN, terms: TERMS, secrets });
    const { accepts } = decodePaymentRequiredHeader(offer.probe(true).header);
    t.deepEqual(
      accepts.map(({ scheme }) => scheme),
      ['exact'],
    );
  }
});
