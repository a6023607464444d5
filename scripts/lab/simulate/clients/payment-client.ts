import type { Hex } from 'viem';
import { createAuthorizationHasher } from '../../../../services/payments/payment/authorization.ts';
import type { Terms } from '../../../../services/payments/payment/terms.ts';
import type { Blocks } from '../chain/blocks.ts';
import type { Host } from '../engine/host.ts';
import type { Machine } from '../engine/machine.ts';
import type { Network } from '../engine/network.ts';
import type { SignedPayment } from '../model/payment-facts.ts';
import type { HttpAnswer } from '../processes/gateway.ts';
import { pause, send } from './http.ts';
import type { Wallet } from './wallet.ts';

export interface PaymentClientOptions {
  readonly host: Host;
  readonly network: Network;
  readonly gateways: readonly [Machine, ...Machine[]];
  readonly wallet: Wallet;
  readonly terms: Terms;
  readonly amount: bigint;
  readonly blocks: Blocks;
  readonly requests: number;
  /** Whether it does not wait for an answer before its next request. */
  readonly isHasty: boolean;
  /** Longest pause before a request. */
  readonly pauseMs: number;
  readonly name: string;
  readonly sent: SentPayment[];
}

/** A payment with the header that carries it, so that the same request can be sent again at the end. */
export interface SentPayment {
  readonly facts: SignedPayment;
  readonly header: string;
}

const OFFER_TRIES = 3;
const MOST_REPEATS = 4;

/** A client that pays. It repeats a request whose answer is lost, and often sends it twice anyway. */
export async function runPaymentClient(options: PaymentClientOptions): Promise<void> {
  const { random } = options.host.world;
  const payments: Promise<void>[] = [];
  for (let count = 1; count <= options.requests; count += 1) {
    await pause(options.host, random.between(0, options.pauseMs));
    const tag = `${options.name}-${count}`;
    const accepted = await fetchOffer(options, tag);
    if (accepted === undefined) continue;
    payments.push(pay(options, tag, accepted));
    if (!options.isHasty) await payments.at(-1);
  }
  await Promise.all(payments);
}

async function fetchOffer({ host, network, gateways }: PaymentClientOptions, tag: string): Promise<object | undefined> {
  const { random } = host.world;
  for (let tries = 0; tries < OFFER_TRIES; tries += 1) {
    const request = { body: { tag }, paymentSignature: [], signInWithX: [] };
    const answer = await send(network, host, random.pick(gateways), request);
    const header = answer?.headers['payment-required'];
    if (header !== undefined) return JSON.parse(Buffer.from(header, 'base64').toString()).accepts[0];
    await pause(host, random.between(200, 3000));
  }
  return undefined;
}

interface SignedCall {
  readonly tag: string;
  readonly accepted: object;
  readonly identifier: string | undefined;
}

function signPayment(
  { host, wallet, terms, amount }: PaymentClientOptions,
  { tag, accepted, identifier }: SignedCall,
): SentPayment {
  const { random } = host.world;
  const validForS = random.pick([35, 60, 60, 120]);
  const authorization = {
    from: wallet.address,
    to: terms.payTo,
    value: amount,
    validAfter: 0n,
    validBefore: BigInt(Math.floor(host.clockMs() / 1000) + validForS),
    nonce: `0x${random.hex(32)}` as Hex,
  };
  const signature = wallet.sign(createAuthorizationHasher(terms)(authorization));
  const { from, to, nonce, value, validAfter, validBefore } = authorization;
  const texts = { value: `${value}`, validAfter: `${validAfter}`, validBefore: `${validBefore}` };
  const payload = { signature, authorization: { from, to, nonce, ...texts } };
  const extensions = identifier === undefined ? {} : { 'payment-identifier': { info: { id: identifier } } };
  const header = Buffer.from(JSON.stringify({ x402Version: 2, accepted, payload, extensions })).toString('base64');
  const payer = from.toLowerCase();
  return {
    header,
    facts: {
      ...{ payer, nonce, amount, tag, identifier, answers: [], last: new Map() },
      ...{ isFrontRun: false, isMeddled: false },
      signedMs: host.world.nowMs(),
      validBeforeMs: Number(validBefore) * 1000,
    },
  };
}

const MANNERS = [
  'once',
  'once',
  'again',
  'parallel',
  'other body',
  'signed anew',
  'front run',
  'drain',
  'cancel',
  'get code',
] as const;

async function pay(options: PaymentClientOptions, tag: string, accepted: object): Promise<void> {
  const { host, sent } = options;
  const { random } = host.world;
  const manner = random.pick(MANNERS);
  const identifier = manner === 'signed anew' ? random.hex(16) : undefined;
  const sign = () => {
    const payment = signPayment(options, { tag, accepted, identifier });
    sent.push(payment);
    return payment;
  };
  host.world.note(() => `${host.name} pays for ${tag}: ${manner}`);
  if (manner !== 'signed anew') return insist(options, sign(), manner);
  const first = insist(options, sign(), manner);
  await pause(host, random.between(0, 30_000));
  await Promise.all([first, insist(options, sign(), manner)]);
}

/** Presents the payment until it is answered. */
async function insist(
  options: PaymentClientOptions,
  payment: SentPayment,
  manner: (typeof MANNERS)[number],
): Promise<void> {
  const { host } = options;
  const { random } = host.world;
  if (manner === 'front run' || manner === 'drain' || manner === 'cancel') actOnChain(options, payment, manner);
  if (manner === 'get code') getCode(options, payment);
  if (manner === 'other body' && random.chance(0.3)) await present(options, payment, `${payment.facts.tag}-other`);
  if (manner === 'parallel') await Promise.all([present(options, payment), present(options, payment)]);
  for (let repeats = 0; repeats <= MOST_REPEATS; repeats += 1) {
    const answer = await present(options, payment);
    if (manner === 'other body' && repeats === 0) await present(options, payment, `${payment.facts.tag}-other`);
    const isDone = answer?.outcome === 200 || answer?.outcome === 402 || answer?.outcome === 'PAYMENT_REUSED';
    if (isDone && !(manner === 'again' && repeats === 0)) return;
    await pause(host, random.between(500, 12_000));
  }
}

/** Sends the payment with a request. */
async function present(
  { host, network, gateways }: PaymentClientOptions,
  { facts, header }: SentPayment,
  sentTag = facts.tag,
): Promise<HttpAnswer | undefined> {
  const { world } = host;
  const request = { body: { tag: sentTag }, paymentSignature: [header], signInWithX: [] };
  const answer = await send(network, host, world.random.pick(gateways), request);
  facts.answers.push({ sentTag, answer });
  world.note(() => `${host.name} gets ${answer?.outcome ?? 'no answer'} for ${sentTag}`);
  world.count(`payment: ${answer?.outcome ?? 'no answer'}`);
  return answer;
}

/** Sends every request of a payment again at the end, until an answer comes. */
export async function presentLast(options: PaymentClientOptions, payment: SentPayment): Promise<void> {
  const { answers, last } = payment.facts;
  for (const sentTag of new Set(answers.map((sent) => sent.sentTag))) {
    for (let repeats = 0; repeats <= MOST_REPEATS; repeats += 1) {
      const answer = await present(options, payment, sentTag);
      last.set(sentTag, answer);
      if (answer !== undefined && answer.outcome !== 'SETTLEMENT_PENDING') break;
      await pause(options.host, 5000);
    }
  }
}

/** The payer gets code that makes its payments fail. */
function getCode({ host: { world }, wallet, blocks }: PaymentClientOptions, { facts }: SentPayment): void {
  facts.isMeddled = true;
  world.at(world.nowMs() + world.random.between(0, 25_000), () => {
    world.note(() => `${facts.tag}: its payer gets code`);
    blocks.giveCode(wallet.address);
  });
}

const STRANGER: Hex = '0x00000000000000000000000000000000000057a2';

/** What others do on the chain: use the authorization first, or leave nothing to pay with. */
function actOnChain(
  { host, wallet, terms, amount, blocks }: PaymentClientOptions,
  { facts, header }: SentPayment,
  manner: 'front run' | 'drain' | 'cancel',
): void {
  const { world } = host;
  facts.isMeddled = true;
  const { from, to, nonce, validBefore } = JSON.parse(Buffer.from(header, 'base64').toString()).payload.authorization;
  const calls = {
    'front run': {
      kind: 'transferWithAuthorization',
      from,
      to,
      nonce,
      value: amount,
      validAfter: 0n,
      validBefore: BigInt(validBefore),
    },
    drain: {
      kind: 'transfer',
      from: wallet.address,
      to: STRANGER,
      value: blocks.tokenAt(blocks.latest().number).balanceOf(wallet.address),
    },
    cancel: { kind: 'cancel', from, nonce },
  } as const;
  world.at(world.nowMs() + world.random.between(0, 25_000), () => {
    if (manner === 'front run') facts.isFrontRun = true;
    world.note(() => `a stranger sends: ${manner} ${facts.tag}`);
    blocks.advance(world.nowMs());
    const fees = { gas: 100_000n, maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 1n };
    const hash = `0x${world.random.hex(32)}` as Hex;
    const sender = `0x${world.random.hex(20)}` as Hex;
    blocks.add({
      ...fees,
      hash,
      from: sender,
      to: terms.asset,
      nonce: 0,
      input: '0x',
      calls: [calls[manner]],
      isBatch: false,
      notBeforeMs: world.nowMs(),
    });
  });
}
