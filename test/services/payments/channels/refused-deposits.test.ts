import test from 'ava';
import { sql } from 'kysely';
import { withConfig } from '../sandbox/channel-chain.ts';
import { AUTHORIZER, DELAY_S, MIN_DEPOSIT, newDeposit, startChannelStack, timed } from './channel-stack.ts';

const stack = await startChannelStack();
const service = await stack.start();
test.after.always(async () => {
  await service.stop();
  await stack.stop();
});

async function countChannels(): Promise<string | undefined> {
  const { rows } = await sql<{ n: string }>`SELECT count(*)::text AS n FROM channel`.execute(stack.database);
  return rows[0]?.n;
}

test('a deposit that the chain would revert leaves nothing behind: its payer can sign any number of them', async (t) => {
  const first = await stack.newFunded(MIN_DEPOSIT);
  const before = await countChannels();
  // The chain is behind the clock of this machine by a second or more.
  const validAfter = BigInt(Math.floor(Date.now() / 1000));
  const config = { receiver: stack.payee, receiverAuthorizer: AUTHORIZER.address, withdrawDelay: DELAY_S };
  for (let round = 0; round < 3; round += 1) {
    const { request } = await newDeposit(withConfig(first, config), { validAfter });
    const { outcome } = await service.channels.deposit(request, timed);
    t.is(outcome?.$case, 'refused', JSON.stringify(outcome));
  }
  t.is(await countChannels(), before);
});
