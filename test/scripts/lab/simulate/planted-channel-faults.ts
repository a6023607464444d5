import type { ChannelClaim } from '../../../../proto/gen/tollhouse/payments/v1/channels.ts';
import type { PlantedFault } from './planted-fault.ts';

/** A repeated voucher is charged as a new one. */
const REPEAT_AS_NEW = {
  name: 'charge',
  old: '-- What was charged before the call.',
  changed: `IF ask.outcome = 'repeated' THEN
      ask.outcome := NULL;
      ask.spent := ask.spent - ask.amount;
    END IF;`,
};

/** Faults of the ledger and of the payments service that payers of channels notice. */
export const PLANTED_CHANNEL_FAULTS: readonly PlantedFault[] = [
  {
    name: 'a repeat executes again',
    seed: 1,
    plant: REPEAT_AS_NEW,
    found: /executed again after its answer/,
  },
  {
    name: 'a charge forgets what is left of the deposit',
    seed: 13,
    plant: { name: 'charge', old: 'ask.amount > ask.usable - ask.spent OR', changed: '' },
    found: /was charged \d+ of a deposit of|returned what was charged|is claimed/,
  },
  {
    name: 'a charge forgets the amount that a refund holds',
    seed: 29,
    plant: {
      name: 'charge',
      old: "WHEN c.open_id IS NOT NULL THEN 'channel_busy'",
      changed: `WHEN c.open_id IS NOT NULL AND NOT EXISTS (
          SELECT FROM ledger.reservation x WHERE x.id = c.open_id AND x.kind = 'refund') THEN 'channel_busy'`,
      also: 'DROP INDEX ledger.reservation_alone',
    },
    found: /returned what was charged|is claimed|one_open_reservation/,
  },
  {
    name: 'a sweep returns the hold of a refund that is under way',
    seed: 29,
    plant: {
      // Even before its deadline.
      name: 'overdue',
      old: "(r.kind = 'refund') = are_refunds\n      AND r.deadline",
      changed: "true AND CASE r.kind WHEN 'refund' THEN r.reserved_at ELSE r.deadline END",
    },
    found: /returned what was charged|is claimed/,
  },
  {
    name: 'a post does not wait for the disk',
    seed: 19,
    plant: { name: 'post', old: 'open_batch(true)', changed: 'open_batch(false)' },
    found: /was told \d+ charged|got a result that was charged 0 times/,
  },
  {
    name: 'a refund is answered before the contract is read',
    seed: 26,
    plant: {
      changeService: (service) => ({
        ...service,
        async refund(request) {
          const { outcome } = await service.refund(request, 0);
          if (outcome?.$case !== 'pending') return { outcome };
          const [channel] = (await service.read({ channelIds: [request.channelId], configs: [] })).channels;
          const { amount } = request;
          return { outcome: { $case: 'refunded', value: { transaction: '', amount, channel } } };
        },
      }),
    },
    found: /returned what was charged|is claimed/,
  },
  {
    name: 'what is signed is claimed, and not what is charged',
    seed: 1,
    plant: {
      // A voucher is kept before its call.
      name: 'charge',
      old: 'ask.epoch = database.epoch AND ask.claimed <= ask.spent',
      changed: "ask.kind <> 'channel'",
      changeService: (service) => ({
        ...service,
        claim: ({ claims }, untilMs) => service.claim({ claims: claims.map(claimSigned) }, untilMs),
        refund: ({ claim, ...request }, untilMs) =>
          service.refund({ ...request, ...(claim && { claim: claimSigned(claim) }) }, untilMs),
      }),
    },
    found: /claimed_as_charged|is claimed/,
  },
  {
    name: 'a post charges more than is signed',
    seed: 5,
    plant: {
      name: 'post',
      old: 'charged = k.charged + d.amount',
      changed: 'charged = k.charged + 2 * d.amount',
      also: 'ALTER TABLE ledger.channel DROP CONSTRAINT channel_check',
    },
    found: /nobody signed/,
  },
  {
    name: 'a failed call is charged',
    seed: 18,
    plant: {
      name: 'void',
      old: 'now_at := ledger.clock();',
      changed: `now_at := ledger.clock();
        INSERT INTO ledger.entry (id, network, account, kind, amount, at)
          SELECT r.id, r.network, r.account, 'post', r.amount, now_at FROM ledger.reservation r
          WHERE r.id = ANY (held) AND r.kind = 'channel';
        UPDATE ledger.channel k SET charged = k.charged + r.amount, signed = r.signed, signature = r.signature,
          key_id = r.key_id, unclaimed_since = now_at
        FROM ledger.reservation r WHERE r.id = ANY (held) AND r.kind = 'channel' AND k.id = r.account;`,
    },
    found: /was refused, and is charged/,
  },
  {
    name: 'a repeat is charged again',
    seed: 1,
    plant: { ...REPEAT_AS_NEW, also: 'ALTER TABLE ledger.channel DROP CONSTRAINT channel_check' },
    found: /and the one for \d+ got/,
  },
  {
    name: 'another request with a voucher is a repeat',
    seed: 1,
    plant: {
      name: 'charge',
      old: 'c.charged = c.signed AND c.repeat_key = a.repeat_key',
      changed: 'c.charged = c.signed',
    },
    found: /got the result of another request/,
  },
  {
    name: 'a repeat gets an earlier answer',
    seed: 1,
    plant: { name: 'post', old: 'charge_id = d.id', changed: 'charge_id = coalesce(k.charge_id, d.id)' },
    found: /and the one for \d+ got/,
  },
  {
    name: 'a deposit is believed before it is mined',
    seed: 1,
    plant: {
      changeService: (service) => ({
        ...service,
        async deposit(request) {
          const { outcome } = await service.deposit(request, 0);
          if (outcome?.$case !== 'pending') return { outcome };
          const { amount } = JSON.parse(request.paymentJson).payload.deposit;
          const [channel] = (await service.read({ channelIds: [request.voucher?.channelId ?? ''], configs: [] }))
            .channels;
          return { outcome: { $case: 'deposited', value: { transaction: '0x00', amount, channel } } };
        },
      }),
    },
    found: /was told of a wrong transaction/,
  },
];

const claimSigned = (claim: ChannelClaim): ChannelClaim => ({
  ...claim,
  totalClaimed: claim.voucher?.maxClaimableAmount ?? claim.totalClaimed,
});
