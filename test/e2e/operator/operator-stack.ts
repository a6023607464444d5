import { createHash, randomBytes } from 'node:crypto';
import { createWallet } from '../../kit/chain.ts';
import {
  type Answer,
  CONVERT,
  fundedWallet,
  pay,
  post,
  rawRequest,
  readAnswer,
  requirementsOf,
  tryOnce,
} from '../../kit/client.ts';
import { type Stack, startStack } from '../../kit/stack.ts';
import { until } from '../../kit/until.ts';

export const OPERATOR = 'ada@example.com';

export interface OperatorStack extends Stack {
  readonly key: string;
  readonly keyHashes: string;
  /** Asks the first gateway with the key. */
  get(path: string): Promise<Answer>;
  send(path: string, body: object): Promise<Answer>;
}

/** A stack with two gateways, of which the first serves the operator's page. */
export async function startOperatorStack(): Promise<OperatorStack> {
  const key = randomBytes(32).toString('base64url');
  const keyHashes = `${OPERATOR}:${createHash('sha256').update(key).digest('hex')}`;
  const keys = { OPERATOR_KEY_HASHES: keyHashes };
  const stack = await startStack({ gateways: 2, env: { gateway0: keys, backoffice: keys } });
  const headers = { authorization: `Bearer ${key}` };
  const url = (path: string) => `${stack.urls[0]}/operator${path}`;
  return {
    ...stack,
    key,
    keyHashes,
    get: async (path) => readAnswer(await fetch(url(path), { headers })),
    send: (path, body) => post(url(path), body, headers),
  };
}

/** A call on the free credit of a new wallet. */
export const sendTrial = (origin: string, html = '<p>Trial'): Promise<Answer> =>
  tryOnce(origin, { html }, createWallet());

/** A request with a payment, which may be sent at any gateway. */
export async function preparePaid(origin: string): Promise<(origin: string) => Promise<Answer>> {
  const body = { html: '<p>Paid' };
  const wallet = await fundedWallet(origin);
  const payment = await pay(requirementsOf(await post(`${origin}${CONVERT}`, body)), wallet);
  return (to) => post(`${to}${CONVERT}`, body, { 'payment-signature': payment });
}

/** Waits until a gateway follows a change of the freeze. */
export async function untilFrozen(origin: string, isFrozen: boolean): Promise<void> {
  const wanted = isFrozen ? /"trials":"stopped by the operator","payments":"stopped/ : /"payments":"available"/;
  const isFollowed = async () => wanted.test((await rawRequest(`${origin}/health/ready`, { method: 'GET' })).text);
  await until(isFollowed);
}
