import test, { type ExecutionContext } from 'ava';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { readChannelCharge } from '../../../../services/backoffice/retention/channel-charge.ts';
import type { ChannelCharge } from '../../../../services/ledger/contract/channels.ts';
import type { LedgerPosition } from '../../../../services/ledger/contract/ledger.ts';
import { auditStores } from '../../../../services/ledger/restore/audit-copy.ts';
import { restoreLedger } from '../../../../services/ledger/restore/restore.ts';
import { until } from '../../../helpers/until.ts';
import { newCharge, newHold } from '../channels/channel-fixture.ts';
import { newReservation } from '../fixture.ts';
import { type Harness, openHarness, startServers } from './harness.ts';

const servers = await startServers();
test.after.always(() => servers.stop());

const BY = { operator: 'ops', reason: 'a drill', releaseLostTail: true, isDatabaseRestored: false };
const DEPOSIT = 100_000n;
const bytes = (hex: string) => Buffer.from(hex.replace('0x', ''), 'hex');

async function reserve({ ledger }: Harness, charge: ChannelCharge): Promise<LedgerPosition> {
  const outcome = await ledger.charge(charge);
  if (outcome.state !== 'reserved') throw new Error(`not reserved: ${outcome.state}`);
  return outcome.position;
}

async function retain({ network }: Harness, charge: ChannelCharge, position: LedgerPosition): Promise<void> {
  const { channelId, cumulativeMicroUsd, amountMicroUsd, signature, fingerprint, holder = '' } = charge;
  const { reserved, voucher } = readChannelCharge({
    channelId,
    cumulativeMicroUsd,
    amountMicroUsd,
    signature: bytes(signature),
    fingerprint: bytes(fingerprint),
    holder: bytes(holder),
  });
  await servers.retention.retain({
    recordId: charge.reservationId,
    access: 'channel',
    operation: charge.operation,
    requestBody: Buffer.from('{}'),
    responseBody: Buffer.from('{}'),
    dueAt: new Date(Date.now() + 60_000),
    ledgerPosition: { network, ...position },
    reservedTrial: reserved,
    voucher,
  });
}

async function pay(harness: Harness, charge: ChannelCharge): Promise<void> {
  await retain(harness, charge, await reserve(harness, charge));
  await harness.ledger.post(charge.reservationId);
}

async function loseAndRestore(t: ExecutionContext, harness: Harness): Promise<void> {
  const { ledger, stores } = harness;
  await harness.lose();
  await until(() => !ledger.ready().ok);
  await restoreLedger(stores, BY);
  await until(() => ledger.ready().ok);
  await harness.copy();
  t.deepEqual((await auditStores(stores)).violations, []);
}

const readVoucher = (channelId: string) =>
  servers.database.selectFrom('channel_voucher').selectAll().where('channel_id', '=', channelId).executeTakeFirst();

test('a rebuilt ledger knows the credit, the charges and the latest voucher of channels', async (t) => {
  const harness = await openHarness(t, servers);
  const { ledger } = harness;
  const first = newCharge();
  const { channelId } = first;
  await ledger.fund({ channelId, usableMicroUsd: DEPOSIT, block: 7n });
  await pay(harness, first);
  const retained = newCharge({ channelId, cumulativeMicroUsd: 28_000n });
  await retain(harness, retained, await reserve(harness, retained));
  const held = newHold({ channelId: newCharge().channelId, amountMicroUsd: 1000n });
  await ledger.fund({ channelId: held.channelId, usableMicroUsd: DEPOSIT, block: 7n });
  await ledger.holdRefund(held);
  await harness.charge();
  await harness.copy();
  await loseAndRestore(t, harness);

  const [account, other] = await ledger.channels([channelId, held.channelId]);
  t.like(account, {
    fundedMicroUsd: DEPOSIT,
    balanceMicroUsd: 72_000n,
    reservedMicroUsd: 0n,
    chargedMicroUsd: 28_000n,
  });
  t.is(account?.voucher?.signature, retained.signature);
  // Only the chain knows what became of the refund.
  t.like(other, { balanceMicroUsd: DEPOSIT - 1000n, reservedMicroUsd: 1000n });
  const overdue = await ledger.overdue({ graceMs: 0, limit: 10, of: 'refunds' });
  t.deepEqual(
    overdue.map(({ reservationId }) => reservationId),
    [held.reservationId],
  );
  const { channelId: refundedId, reservationId: refundId } = held;
  await ledger.fund({ channelId: refundedId, usableMicroUsd: DEPOSIT - 1000n, block: 8n, refundId });
  const [refunded] = await ledger.channels([refundedId]);
  t.like(refunded, { fundedMicroUsd: DEPOSIT - 1000n, balanceMicroUsd: DEPOSIT - 1000n, reservedMicroUsd: 0n });
  t.like(await ledger.charge({ ...retained, reservationId: uuidv7() }), {
    state: 'repeated',
    reservationId: retained.reservationId,
  });
  t.is((await ledger.fund({ channelId, usableMicroUsd: 1n, block: 6n })).fundedMicroUsd, DEPOSIT);
  await pay(harness, newCharge({ channelId, cumulativeMicroUsd: 42_000n }));
});

test('lost calls with a retained result are charged once each, even if their deposit was lost too', async (t) => {
  const harness = await openHarness(t, servers);
  const { ledger } = harness;
  await harness.charge();
  await harness.copy();
  const first = newCharge();
  const { channelId } = first;
  await ledger.fund({ channelId, usableMicroUsd: DEPOSIT, block: 7n });
  await pay(harness, first);
  // The result is retained, but the call fails in the end. So the payer sends its voucher again.
  const failed = newCharge({ channelId, cumulativeMicroUsd: 28_000n });
  await retain(harness, failed, await reserve(harness, failed));
  await ledger.void(failed.reservationId, 'retain_failed');
  const second = { ...failed, reservationId: uuidv7() };
  await pay(harness, second);
  await loseAndRestore(t, harness);
  const [account] = await ledger.channels([channelId]);
  t.like(account, { chargedMicroUsd: 28_000n, reservedMicroUsd: 0n });
  t.is(account?.voucher?.cumulativeMicroUsd, 28_000n);
  t.is((await ledger.fund({ channelId, usableMicroUsd: DEPOSIT, block: 8n })).balanceMicroUsd, 72_000n);
  await pay(harness, newCharge({ channelId, cumulativeMicroUsd: 42_000n }));
});

test('the highest voucher of a channel is stored with its call', async (t) => {
  const harness = await openHarness(t, servers);
  const { ledger } = harness;
  const first = newCharge();
  const { channelId } = first;
  await ledger.fund({ channelId, usableMicroUsd: DEPOSIT, block: 1n });
  await pay(harness, first);
  const before = await readVoucher(channelId);
  const second = newCharge({ channelId, cumulativeMicroUsd: 28_000n });
  await pay(harness, second);
  t.deepEqual(before?.signature, bytes(first.signature));
  const after = await readVoucher(channelId);
  t.like(after, { cumulative_micro_usd: 28_000n, record_id: second.reservationId, claimed_micro_usd: 0n });
  t.deepEqual(after?.signature, bytes(second.signature));
  t.deepEqual(after?.unclaimed_since, before?.unclaimed_since);
  // A late message with an older voucher.
  const position = (await ledger.journal(1n, 1)).position;
  await retain(harness, { ...first, reservationId: uuidv7() }, position);
  t.is((await readVoucher(channelId))?.cumulative_micro_usd, 28_000n);
});

test('a voucher is unclaimed since its call if all was claimed before', async (t) => {
  const harness = await openHarness(t, servers);
  const first = newCharge();
  const { channelId } = first;
  await harness.ledger.fund({ channelId, usableMicroUsd: DEPOSIT, block: 1n });
  await pay(harness, first);
  await servers.database
    .updateTable('channel_voucher')
    .set({ claimed_micro_usd: first.cumulativeMicroUsd, unclaimed_since: null })
    .where('channel_id', '=', channelId)
    .execute();
  await pay(harness, newCharge({ channelId, cumulativeMicroUsd: 28_000n }));
  t.not((await readVoucher(channelId))?.unclaimed_since, null);
});

test('a call changes no column that an index of vouchers uses', async (t) => {
  const { rows } = await sql<{ definition: string }>`
    SELECT indexdef AS definition FROM pg_indexes WHERE tablename = 'channel_voucher'`.execute(servers.database);
  t.true(rows.length > 0);
  for (const { definition } of rows) t.notRegex(definition, /cumulative_micro_usd|signature|record_id/);
});

test('calls of one channel in one commit leave its highest voucher', async (t) => {
  const harness = await openHarness(t, servers);
  const { ledger } = harness;
  const { channelId } = newCharge();
  await ledger.fund({ channelId, usableMicroUsd: DEPOSIT, block: 1n });
  const { position } = await ledger.journal(1n, 1);
  const amounts = [14_000n, 42_000n, 28_000n];
  await Promise.all(
    amounts.map((cumulativeMicroUsd) => retain(harness, newCharge({ channelId, cumulativeMicroUsd }), position)),
  );
  t.is((await readVoucher(channelId))?.cumulative_micro_usd, 42_000n);
  await ledger.reserve(newReservation());
});
