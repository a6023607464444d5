import type { Hex } from 'viem';
import type { ChannelTerms } from '../../../../gateway/access/offer/channel-terms.ts';
import { type ChannelConfig, createChannelHasher } from '../../../../services/payments/contract/channel-ids.ts';
import type { ChannelContract } from '../chain/channel-contract.ts';
import type { Host } from '../engine/host.ts';
import type { Machine } from '../engine/machine.ts';
import type { Network } from '../engine/network.ts';
import type { ChannelAnswer } from '../model/channel-facts.ts';
import type { HttpAnswer } from '../processes/gateway.ts';
import { pause, send } from './http.ts';
import type { Wallet } from './wallet.ts';

export interface ChannelClientOptions {
  readonly host: Host;
  readonly network: Network;
  readonly gateways: readonly [Machine, ...Machine[]];
  readonly wallet: Wallet;
  readonly seller: { readonly payTo: string; readonly asset: string; readonly channels: ChannelTerms };
  readonly contract: ChannelContract;
  readonly price: bigint;
  readonly actions: number;
  /** Names the requests of this client. */
  readonly name: string;
  readonly answers: ChannelAnswer[];
}

export interface ChannelClient {
  readonly channelId: Hex;
  /** The vouchers that it signed for calls. */
  readonly signed: () => readonly bigint[];
  /** Calls, deposits, asks for refunds and starts a withdrawal. */
  run(): Promise<void>;
  /** Asks again for the answers of a voucher. */
  repeat(cumulative: bigint): Promise<void>;
}

/** A signed request. */
interface Signed {
  readonly tag: string;
  readonly cumulative: bigint;
  readonly header: string;
  readonly isRefund: boolean;
}

const OFFER_TRIES = 3;
const MOST_REPEATS = 4;
const LAST_TRIES = 4;
const LAST_PAUSE_MS = 12_000;
/** The ways in which clients send a voucher. */
const MANNERS = ['once', 'once', 'again', 'parallel', 'other request'] as const;
const ACTIONS = ['call', 'call', 'call', 'call', 'top up', 'refund', 'refund and call', 'leave'] as const;

/** A payer of a channel. It believes what answers say of its charges, and signs nothing else. */
export function createChannelClient(options: ChannelClientOptions): ChannelClient {
  const { host, network, gateways, wallet, seller, contract, price, name, answers } = options;
  const { world } = host;
  const { random } = world;
  const { payTo: receiver, asset: token, channels } = seller;
  const hasher = createChannelHasher(channels);
  const addresses = { payer: wallet.address, payerAuthorizer: wallet.address, receiver, token };
  const { receiverAuthorizer, withdrawDelaySeconds: withdrawDelay } = channels;
  const channelConfig = { ...addresses, receiverAuthorizer, withdrawDelay, salt: `0x${random.hex(32)}` };
  const channelId = hasher.idOf(lower(channelConfig));
  const sent: Signed[] = [];
  /** What the client believes. */
  let charged = 0n;
  let hasDeposit = false;
  let isLeaving = false;

  async function fetchOffer(isRefund: boolean): Promise<object | undefined> {
    for (let tries = 0; tries < OFFER_TRIES; tries += 1) {
      const request = { body: { tag: `${name}-offer` }, paymentSignature: [], signInWithX: [], isRefund };
      const answer = await send(network, host, random.pick(gateways), request);
      const offer = offerIn(answer);
      if (offer !== undefined) return offer;
      await pause(host, random.between(200, 3000));
    }
    return undefined;
  }

  function sign(tag: string, accepted: object, intent: Intent): Signed {
    const isRefund = intent.type === 'refund';
    const cumulative = isRefund ? charged : charged + price;
    const signature = wallet.sign(hasher.voucherDigest(channelId, cumulative));
    const voucher = { channelId, maxClaimableAmount: `${cumulative}`, signature };
    const extensions = random.chance(0.5) ? { 'payment-identifier': { info: { id: random.hex(16) } } } : {};
    const payment = { x402Version: 2, accepted, extensions, payload: { ...intent, channelConfig, voucher } };
    const header = Buffer.from(JSON.stringify(payment)).toString('base64');
    return { tag, cumulative, header, isRefund };
  }

  async function present({ tag, cumulative, header, isRefund }: Signed, isLast = false): Promise<Told | undefined> {
    const request = { body: { tag }, paymentSignature: [header], signInWithX: [], isRefund };
    const answer = await send(network, host, random.pick(gateways), request);
    const what = isRefund ? 'refund' : 'channel';
    const told = answer && { outcome: answer.outcome, ...read(answer) };
    answers.push({
      channelId,
      cumulative,
      tag,
      isRefund,
      isLast,
      atMs: world.nowMs(),
      outcome: told?.outcome,
      body: answer?.body ?? '',
      toldCharged: told?.toldCharged,
      toldMoved: told?.toldMoved,
    });
    if (told === undefined) {
      world.count(`${what}: no answer`);
      return undefined;
    }
    const { outcome, toldCharged, reason } = told;
    world.note(() => `${host.name} gets ${outcome} ${reason} for ${tag} (${cumulative}), charged ${toldCharged}`);
    world.count(`${what}: ${outcome} ${reason}`.trimEnd());
    return told;
  }

  /** Sends a call until an answer tells what became of it. */
  async function call(tag: string, isDeposit: boolean): Promise<void> {
    const accepted = await fetchOffer(false);
    if (accepted === undefined) return;
    const intent = isDeposit ? newDeposit() : ({ type: 'voucher' } as const);
    const manner = random.pick(MANNERS);
    const signed = sign(tag, accepted, intent);
    const other = { ...signed, tag: `${tag}-other` };
    sent.push(signed);
    world.note(() => `${host.name} pays for ${tag}: ${intent.type}, ${manner}`);
    if (manner === 'other request') {
      sent.push(other);
      if (random.chance(0.3)) await present(other);
    }
    if (manner === 'parallel') await Promise.all([present(signed), present(signed)]);
    for (let repeats = 0; repeats <= MOST_REPEATS; repeats += 1) {
      const told = await present(signed);
      if (manner === 'other request' && repeats === 0) await present(other);
      if (told?.toldMoved !== undefined) hasDeposit = true;
      if (told?.reason === 'cumulative_exceeds_balance' || told?.reason === 'channel_not_found') hasDeposit = false;
      if (told?.toldCharged !== undefined) charged = told.toldCharged;
      const isDone =
        told !== undefined && told.outcome !== 'PAYMENT_UNAVAILABLE' && told.outcome !== 'SETTLEMENT_PENDING';
      const isBusy = told?.reason === 'channel_busy';
      if (isDone && !isBusy && !(manner === 'again' && repeats === 0)) return;
      await pause(host, random.between(500, 12_000));
    }
  }

  const newDeposit = (): Intent => ({
    type: 'deposit',
    deposit: {
      amount: `${price * BigInt(random.between(1, 7))}`,
      // The simulated contract trusts it.
      authorization: {
        erc3009Authorization: {
          validAfter: '0',
          validBefore: '9999999999',
          salt: `0x${random.hex(32)}`,
          signature: '0x00',
        },
      },
    },
  });

  async function refund(tag: string): Promise<void> {
    const accepted = await fetchOffer(true);
    if (accepted === undefined) return;
    const intent: Intent = random.chance(0.5) ? { type: 'refund' } : { type: 'refund', amount: `${price}` };
    const told = await present(sign(tag, accepted, intent));
    if (told?.toldCharged !== undefined) charged = told.toldCharged;
  }

  return {
    channelId,
    signed: () => sent.map(({ cumulative }) => cumulative),
    async run() {
      for (let count = 1; count <= options.actions; count += 1) {
        await pause(host, random.between(0, 4000));
        const action = random.pick(ACTIONS);
        const tag = `${name}-${count}`;
        const { balance } = contract.stateOf(channelId);
        if (action === 'refund' && hasDeposit) await refund(`${tag}-refund`);
        else if (action === 'refund and call' && hasDeposit) {
          await Promise.all([refund(`${tag}-refund`), call(tag, false)]);
        } else if (action !== 'leave') await call(tag, !hasDeposit || action === 'top up');
        else if (!isLeaving && balance > 0n && random.chance(0.4)) {
          isLeaving = true;
          contract.withdraw(channelId, random.chance(0.5) ? balance : (balance + 1n) / 2n);
        }
      }
    },
    async repeat(cumulative) {
      for (const signed of sent.filter((each) => each.cumulative === cumulative)) {
        for (let tries = 0; tries < LAST_TRIES; tries += 1) {
          const told = await present(signed, true);
          if (told?.outcome === 200) return;
          if (told?.outcome === 402) break;
          await pause(host, LAST_PAUSE_MS);
        }
      }
    },
  };
}

type Intent =
  | { readonly type: 'voucher' }
  | { readonly type: 'refund'; readonly amount?: string }
  | { readonly type: 'deposit'; readonly deposit: object };

interface Told extends Pick<ChannelAnswer, 'toldCharged' | 'toldMoved'> {
  readonly outcome: HttpAnswer['outcome'];
  /** Why a payment was not accepted. */
  readonly reason: string;
}

const lower = ({
  withdrawDelay,
  ...hex
}: Record<Exclude<keyof ChannelConfig, 'withdrawDelaySeconds'>, string> & {
  readonly withdrawDelay: number;
}): ChannelConfig => ({
  payer: hex.payer.toLowerCase(),
  payerAuthorizer: hex.payerAuthorizer.toLowerCase(),
  receiver: hex.receiver.toLowerCase(),
  receiverAuthorizer: hex.receiverAuthorizer.toLowerCase(),
  token: hex.token.toLowerCase(),
  withdrawDelaySeconds: withdrawDelay,
  salt: hex.salt,
});

const decode = (header: string | undefined) =>
  header === undefined ? undefined : JSON.parse(Buffer.from(header, 'base64').toString());

/** The offer of channels. */
const offerIn = (answer: HttpAnswer | undefined) =>
  decode(answer?.headers['payment-required'])?.accepts.find(
    ({ scheme }: { readonly scheme: string }) => scheme === 'batch-settlement',
  );

/** What an answer tells. A client that finds a payment response does not look for a correction. */
function read(answer: HttpAnswer): Omit<Told, 'outcome'> {
  const required = decode(answer.headers['payment-required']);
  const response = decode(answer.headers['payment-response']);
  const state = response?.extra.channelState ?? offerIn(answer)?.extra.channelState;
  // A failure after a deposit tells of no charge.
  const charged = state?.chargedCumulativeAmount;
  return {
    reason: required?.error.replace('invalid_batch_settlement_evm_', '') ?? '',
    toldCharged: charged === undefined ? undefined : BigInt(charged),
    toldMoved: response?.transaction
      ? { transaction: response.transaction, amount: BigInt(response.amount) }
      : undefined,
  };
}
