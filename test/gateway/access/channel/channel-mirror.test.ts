import test from 'ava';
import { createChannelMirror } from '../../../../gateway/access/channel/channel-mirror.ts';
import { createContract } from './contract-fixture.ts';

const channelId = `0x${'1'.repeat(64)}`;
const address = `0x${'2'.repeat(40)}`;
const identity = {
  channelId,
  config: {
    payer: address,
    payerAuthorizer: address,
    receiver: address,
    receiverAuthorizer: address,
    token: address,
    withdrawDelaySeconds: 900,
    salt: `0x${'3'.repeat(64)}`,
  },
};

function open() {
  const contract = createContract(async () => {});
  const clock = { ms: 0 };
  return { contract, clock, mirror: createChannelMirror({ channels: contract.client, monotonicMs: () => clock.ms }) };
}

test('a late answer of an earlier block replaces no later state', async (t) => {
  const { contract, mirror } = open();
  const earlier = contract.change(channelId, { balance: '5' });
  const later = contract.change(channelId, { balance: '9' });
  mirror.put(earlier);
  mirror.put(later);
  mirror.put(earlier);
  t.is((await mirror.read(identity, 9n))?.balance, '9');
  t.is(contract.asked.read, 0);
});

test('a state that agrees with the ledger is shown at once, and is read again after five minutes', async (t) => {
  const { contract, clock, mirror } = open();
  mirror.put(contract.change(channelId, { balance: '9', totalClaimed: '1' }));
  contract.change(channelId, { totalClaimed: '2' });
  clock.ms = 299_999;
  t.is((await mirror.read(identity, 9n))?.totalClaimed, '1');
  t.is(contract.asked.read, 0);
  clock.ms = 300_000;
  // The answer does not wait for what is read.
  t.is((await mirror.read(identity, 9n))?.totalClaimed, '1');
  t.is(contract.asked.read, 1);
  await mirror.refresh(identity, 1000);
  t.is((await mirror.read(identity, 9n))?.totalClaimed, '2');
});
