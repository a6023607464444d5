import test from 'ava';
import type { Facilitator } from '../../../../services/payments/facilitator/facilitator.ts';
import { createOpenClaimsFollower } from '../../../../services/payments/settlement/open-claims.ts';
import { createSettlement } from '../../../../services/payments/settlement/settlement.ts';
import type { SettlingContext } from '../../../../services/payments/settlement/settling-context.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { createWallet } from '../../../kit/chain.ts';
import { contextOf } from '../../../kit/context-of.ts';
import { createLedgerDatabase } from '../../ledger/store/store-fixture.ts';
import { answerOf, attempt, newDetails as details, leased, openClaims, START_MS } from '../claims/claims-fixture.ts';
import { open } from './begin-setting.ts';
import { payment } from './claim-fixture.ts';

const MINUTE_MS = 60_000;
const facilitator: Facilitator = {
  verify: () => Promise.reject(new Error('nothing is verified')),
  settle: () => Promise.reject(new Error('nothing is settled')),
};

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

test('without a chain, a claim has no balance and no block', async (t) => {
  const { begin, openings } = open({ hasChain: false });
  t.is((await begin()).outcome?.$case, 'execute');
  t.like(openings[0], { claim: { fromBlock: undefined }, options: { balance: undefined } });
});

test('without a chain, a kept answer whose payment was never sent has failed when its authorization has long expired', async (t) => {
  const { ledger, claims, keep, clock } = await openClaims(t, database, { hasChain: false });
  const { network } = ledger;
  const logger = createLogger({ name: 'test', level: 'silent' });
  let nowMs = START_MS;
  const now = () => nowMs;
  const context = contextOf<SettlingContext>({
    network,
    claims,
    facilitator,
    chain: undefined,
    authorizations: { open: () => payment },
    settleTimeoutMs: 1000,
    now,
    logger,
  });
  const settlement = createSettlement(context);
  const follow = createOpenClaimsFollower(context, settlement);
  const passTo = async (ms: number) => {
    nowMs = ms;
    await clock.set(ms);
    await follow(new AbortController().signal);
  };
  const { address } = createWallet();
  const named = (paymentIdentifierHash: string) => details(address, { paymentIdentifierHash, fromBlock: undefined });
  const [kept, sent] = [named('i1'), named('i2')];
  for (const claim of [kept, sent]) {
    await claims.open(claim, leased({ balance: undefined }));
    await keep(answerOf(claim.claimId));
  }
  await claims.startSettling(sent, attempt());
  // The authorizations are valid for a minute. The clock of the chain may be behind.
  await passTo(START_MS + 10 * MINUTE_MS);
  t.like(await claims.findCall(address, 'i1'), { state: 'pending' });
  await passTo(START_MS + 30 * MINUTE_MS);
  t.like(await claims.findById(kept.claimId), { state: 'failed', final: true });
  t.is(await claims.findCall(address, 'i1'), undefined);
  t.like(await claims.findCall(address, 'i2'), { state: 'pending' }, 'it may have been settled');
});
