import { formatSiwxMessage } from '../../../../gateway/access/challenge/siwx-message.ts';
import type { Host } from '../engine/host.ts';
import type { Machine } from '../engine/machine.ts';
import type { Network } from '../engine/network.ts';
import type { TrialAnswer } from '../model/trial-facts.ts';
import { pause, send } from './http.ts';
import { signText, type Wallet } from './wallet.ts';

export interface TrialClientOptions {
  readonly host: Host;
  readonly network: Network;
  readonly gateways: readonly [Machine, ...Machine[]];
  readonly wallet: Wallet;
  readonly chainId: string;
  readonly requests: number;
  /** Names the requests of this client. */
  readonly name: string;
  readonly answers: TrialAnswer[];
}

const CHALLENGE_TRIES = 3;
/** Longer than a challenge lasts. */
const TOO_LATE_MS = 320_000;

/** A client that uses its trial credit, and often sends a proof more than once. */
export async function runTrialClient(options: TrialClientOptions): Promise<void> {
  const { random } = options.host.world;
  for (let count = 1; count <= options.requests; count += 1) {
    await pause(options.host, random.between(0, 4000));
    const tag = `${options.name}-${count}`;
    const challenge = await fetchChallenge(options, tag);
    if (challenge !== undefined) await present(options, tag, challenge);
  }
}

type Challenge = Parameters<typeof formatSiwxMessage>[0];

async function fetchChallenge(
  { host, network, gateways }: TrialClientOptions,
  tag: string,
): Promise<Challenge | undefined> {
  const { world } = host;
  for (let tries = 0; tries < CHALLENGE_TRIES; tries += 1) {
    const gateway = world.random.pick(gateways);
    const answer = await send(network, host, gateway, { body: { tag }, paymentSignature: [], signInWithX: [] });
    const header = answer?.headers['payment-required'];
    world.note(
      () => `${host.name} asks for a challenge for ${tag}: ${answer?.headers['x-trial-status'] ?? answer?.outcome}`,
    );
    if (header !== undefined && answer?.headers['x-trial-status'] === 'challenge') {
      return JSON.parse(Buffer.from(header, 'base64').toString()).extensions['sign-in-with-x'].info;
    }
    await pause(host, world.random.between(200, 3000));
  }
  return undefined;
}

/** The ways in which clients send a proof. */
const MANNERS = ['once', 'once', 'again', 'parallel', 'other body', 'late'] as const;

async function present(options: TrialClientOptions, tag: string, info: Challenge): Promise<void> {
  const { host, wallet, chainId } = options;
  const { random } = host.world;
  const message = formatSiwxMessage(info, wallet.address, chainId.slice(chainId.indexOf(':') + 1));
  const proof = { ...info, address: wallet.address, chainId, type: 'eip191', signature: signText(wallet, message) };
  const header = Buffer.from(JSON.stringify(proof)).toString('base64');
  const signed = { tag, nonce: info.nonce, header };
  const manner = random.pick(MANNERS);
  if (manner === 'late' && random.chance(0.1)) await pause(host, TOO_LATE_MS);
  if (manner === 'other body') await sendProof(options, signed, `${tag}-other`);
  if (manner === 'parallel') {
    await Promise.all([sendProof(options, signed), sendProof(options, signed)]);
    return;
  }
  const isAnswered = await sendProof(options, signed);
  if (isAnswered && manner !== 'again') return;
  await pause(host, random.between(0, 5000));
  await sendProof(options, signed);
}

interface SignedProof {
  readonly tag: string;
  readonly nonce: string;
  readonly header: string;
}

/** @returns whether an answer came */
async function sendProof(
  { host, network, gateways, wallet, answers }: TrialClientOptions,
  { tag, nonce, header }: SignedProof,
  sentTag = tag,
): Promise<boolean> {
  const { world } = host;
  const request = { body: { tag: sentTag }, paymentSignature: [], signInWithX: [header] };
  const answer = await send(network, host, world.random.pick(gateways), request);
  answers.push({ wallet: wallet.address.toLowerCase(), nonce, tag, sentTag, answer });
  const told = answer?.headers['x-trial-status'] ?? '';
  world.note(() => `${host.name} gets ${answer?.outcome ?? 'no answer'} ${told} for ${sentTag}`);
  world.count(`trial: ${answer?.outcome ?? 'no answer'} ${told}`);
  return answer !== undefined;
}
