import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { claimOf } from '../../../../services/payments/contract/channel-funds.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { PRICE, startChannelStack, timed, wireVoucher } from '../../payments/channels/channel-stack.ts';
import { startChannelJobs } from './channel-job-stack.ts';

const stack = await startChannelStack();
const { ledger, service, open, call, resolveRefunds, stop } = await startChannelJobs(stack);
test.after.always(() => stop());

test.serial('a refund that could not be stored, and so was not sent, can be asked for again', async (t) => {
  const channel = await open();
  await call(channel, PRICE);
  await call(channel, 2n * PRICE);
  const { signature } = await wireVoucher(channel, 2n * PRICE);
  const nowMs = Date.now();
  await ledger.setClock(nowMs);
  const hold = (reservationId: string, atMs: number) =>
    ledger.holdRefund({
      reservationId,
      channelId: channel.id,
      cumulativeMicroUsd: 2n * PRICE,
      signature,
      deadlineMs: atMs + 30_000,
    });
  const refundId = uuidv7();
  const held = await hold(refundId, nowMs);
  if (held.state !== 'reserved') throw new Error(held.state);
  await ledger.query(`CREATE FUNCTION public.fail() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'the record fails'; END $$`);
  await ledger.query(`CREATE TRIGGER fails BEFORE INSERT ON public.channel_transaction FOR EACH ROW
    WHEN (NEW.kind = 'refund' AND NEW.state = 'open') EXECUTE FUNCTION public.fail()`);
  const claim = defined(claimOf(channel.id, held.account));
  const message = { refundId, channelId: channel.id, amount: `${held.amountMicroUsd}`, claim };
  await t.throwsAsync(service().channels.refund(message, timed), { message: /nothing was sent/ });
  await ledger.query('DROP TRIGGER fails ON public.channel_transaction');
  await ledger.setClock(nowMs + 60_000);
  await resolveRefunds();
  t.is((await hold(uuidv7(), nowMs + 60_000)).state, 'reserved');
});
