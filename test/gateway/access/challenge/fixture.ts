import { createHash, randomBytes } from 'node:crypto';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import {
  type ChallengedRequest,
  type ChallengerOptions,
  createChallenger,
} from '../../../../gateway/access/challenge/challenge.ts';
import { type ChallengeInfo, formatSiwxMessage } from '../../../../gateway/access/challenge/siwx-message.ts';

export const START_MS = Date.UTC(2030, 0, 1, 12);

export const REQUEST: ChallengedRequest = {
  uri: 'http://127.0.0.1:8402/api/v1/maps/geocode',
  domain: '127.0.0.1:8402',
  method: 'POST',
  bodyDigest: createHash('sha256').update('{"query":"Berlin"}').digest('hex'),
};

export function newAccount(): PrivateKeyAccount {
  return privateKeyToAccount(generatePrivateKey());
}

/** Creates a challenger with a clock that the test sets. */
export function openChallenger(given: Partial<ChallengerOptions> = {}) {
  const clock = { nowMs: START_MS };
  const keys = [randomBytes(32)];
  const options = {
    keys,
    deploymentId: 'test',
    chains: ['eip155:31337', 'eip155:8453'],
    now: () => clock.nowMs,
    ...given,
  };
  return { clock, challenger: createChallenger(options), options };
}

export type ProofFields = Record<string, unknown>;

export function encode(fields: unknown): string {
  return Buffer.from(typeof fields === 'string' ? fields : JSON.stringify(fields)).toString('base64');
}

/** Signs a challenge as the official client does. @returns the fields of the proof, not encoded */
export async function sign(
  info: ChallengeInfo,
  account: PrivateKeyAccount,
  chainId = 'eip155:31337',
): Promise<ProofFields> {
  const message = formatSiwxMessage(info, account.address, chainId.slice('eip155:'.length));
  const signature = await account.signMessage({ message });
  return { ...info, address: account.address, chainId, type: 'eip191', signature };
}
