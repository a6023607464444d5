import { AsyncLocalStorage } from 'node:async_hooks';
import {
  BaseError,
  createPublicClient,
  type EIP1193RequestFn,
  type Hex,
  http,
  type PublicClient,
  RpcRequestError,
  type Transport,
} from 'viem';
import { defined } from '../../../workers/exact/defined.ts';
import { isRecord } from '../../platform/is-record.ts';
import { checkReply, NodeReplyError } from './node-replies.ts';

/** viem's client of one node, or of several ones of which a decision asks one. Its transport checks the replies. */
export type Rpc = PublicClient;

interface Asked {
  /** Its place in the list of nodes. */
  readonly node: number;
  /** viem has a batch for each signal. */
  readonly signal?: AbortSignal;
}

const asked = new AsyncLocalStorage<Asked>();

/** The place of the node to ask after one that did not answer, by the error that this one caused. */
const nextNodes = new WeakMap<object, number>();

/**
 * Runs a decision: all that it reads comes from one node. If that node does not answer, the whole decision is repeated with
 * the next one of the list. So `work` must not send anything. A decision within another one is a part of it.
 */
export function decide<T>(work: () => Promise<T>): Promise<T> {
  return asked.getStore() === undefined ? askInTurn(work) : work();
}

async function askInTurn<T>(work: () => Promise<T>, onSilence: (error: unknown) => void = () => {}): Promise<T> {
  for (let node = 0; ; ) {
    try {
      return await asked.run({ node }, work);
    } catch (error) {
      const next = nextAfter(error);
      if (next === undefined || next <= node) throw error;
      onSilence(error);
      node = next;
    }
  }
}

/** A caller may have wrapped the error. */
function nextAfter(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  return nextNodes.get(error) ?? nextAfter(error.cause);
}

/**
 * Makes the requests of `work` that are made in one turn of the event loop one HTTP request, without any others: behind a
 * URL there can be several nodes, and some lag behind.
 */
export const oneNode = <T>(work: () => Promise<T>): Promise<T> =>
  decide(() => asked.run({ node: nodeNow(), signal: new AbortController().signal }, work));

/** Of the node that a decision asks, or else the first one. */
export const nodeNow = (): number => asked.getStore()?.node ?? 0;

/** Is the same for requests that one node must answer. */
export const signalNow = (): AbortSignal | undefined => asked.getStore()?.signal;

/** Runs `work` for several decisions that ask the same node. */
export const askNode = <T>(node: number, work: () => Promise<T>): Promise<T> => asked.run({ node }, work);

/** What nodes say of a transaction that they have: something between us and the node sent it twice. */
const KNOWN = /\balready (?:known|imported)|\bAlreadyKnown|\bknown transaction/i;

/**
 * Sends a signed transaction. The next node gets the same bytes if one does not answer, and they can be mined only once.
 * @throws {BaseError} with an `RpcRequestError` when no node can have taken it. After any other error, one may have: a node
 *   refuses a nonce also because the silent one before it took the transaction.
 */
export async function sendSigned(rpc: Rpc, serializedTransaction: Hex): Promise<void> {
  if (asked.getStore() !== undefined) throw new Error('a decision, which may be repeated, sends a transaction');
  let silence: unknown;
  try {
    const note = (error: unknown) => {
      silence ??= error;
    };
    await askInTurn(() => rpc.sendRawTransaction({ serializedTransaction }), note);
  } catch (error) {
    const reply = replyOf(error);
    if (reply === undefined || !KNOWN.test(reply.message)) throw silence ?? error;
  }
}

/** What the node answered instead of a result. viem wraps some codes into other errors. */
export function replyOf(error: unknown): RpcRequestError | undefined {
  const reply = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null;
  return reply instanceof RpcRequestError ? reply : undefined;
}

const ANSWER_MS = 5000;
/** How long a node that let this time pass is left out, if there is a next one. Otherwise each decision would wait for it. */
const LEFT_OUT_MS = 10_000;
/** Requests of one turn of the event loop go in one HTTP request. */
const MAX_BATCH = 50;

/**
 * @param list URLs, separated by commas
 * @param chainId of the chain on which the nodes after the first one must be. Each is asked before it is used: it may have
 *   been silent while the nodes were checked.
 */
export function createRpc(list: string, chainId?: number, monotonicMs = () => performance.now()): Rpc {
  const transport: Transport = (given) => {
    // No retries here: the callers know which calls may be repeated.
    const options = { fetchFn: fetchOnce, timeout: ANSWER_MS, retryCount: 0, batch: { batchSize: MAX_BATCH } };
    const nodes = list.split(',').map((url) => http(url.trim(), options)(given));
    const checked = new Set([0]);
    /** Until when nodes are left out. */
    const leftOut = new Map<number, number>();
    function assertNotLeftOut(node: number): void {
      const untilMs = leftOut.get(node);
      if (untilMs === undefined) return;
      if (monotonicMs() < untilMs) throw new Error('the node did not answer in time shortly before');
      // One request finds out whether it answers again. The others do not wait for that.
      leftOut.set(node, monotonicMs() + LEFT_OUT_MS);
    }
    async function checkChain(node: number): Promise<void> {
      if (checked.has(node)) return;
      const reply = await defined(nodes[node]).request({ method: 'eth_chainId' });
      if (Number(reply) !== chainId) throw new NodeReplyError('eth_chainId', reply);
      checked.add(node);
    }
    async function answer(call: { readonly method: string; readonly params?: unknown }): Promise<unknown> {
      const { node, signal } = defined(asked.getStore());
      const hasNext = node + 1 < nodes.length;
      try {
        assertNotLeftOut(node);
        await checkChain(node);
        const reply: unknown = await defined(nodes[node]).request(call as never, signal && { signal });
        leftOut.delete(node);
        return checkReply(call, reply);
      } catch (error) {
        const isAnswer = error instanceof NodeReplyError || replyOf(error) !== undefined;
        if (isAnswer) leftOut.delete(node);
        if (!isAnswer && error instanceof Error && hasNext) {
          nextNodes.set(error, node + 1);
          if (isTimeOut(error)) leftOut.set(node, monotonicMs() + LEFT_OUT_MS);
        }
        throw error;
      }
    }
    // The option to share the answer to the same request of another caller is left out: another node may give that.
    const request = ((call) => decide(() => answer(call))) as EIP1193RequestFn;
    return { ...defined(nodes[0]), request };
  };
  return createPublicClient({ transport, cacheTime: 0 });
}

const isTimeOut = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'TimeoutError' || isTimeOut(error.cause));

/**
 * Follows no redirect, which would let another host answer for the chain. The time limit includes the body: that of viem
 * ends with the headers. viem takes the answers of a batch by their order, so each call must have its own one: an answer
 * that is left out, or an error without an id, would give calls the answers of others.
 */
const fetchOnce: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) });
  if (!response.ok) return response;
  const text = await readText(response);
  const [wanted, answered] = [idsOf(String(init?.body)), idsOf(text)];
  if (answered !== undefined && answered !== wanted)
    throw new Error('the node did not answer each call of a batch once');
  const { status, headers } = response;
  return new Response(text, { status, headers: { 'content-type': headers.get('content-type') ?? '' } });
};

/** Longest reply, in UTF-16 units. */
const MAX_REPLY = 10 * 2 ** 20;

async function readText({ body }: Response): Promise<string> {
  let text = '';
  for await (const part of (body ?? new Blob([]).stream()).pipeThrough(new TextDecoderStream())) {
    text += part;
    if (text.length > MAX_REPLY) throw new Error('the reply of the node is too long');
  }
  return text;
}

/** @returns the sorted ids of a batch as JSON; undefined if the text is not a batch */
function idsOf(json: string): string | undefined {
  const batch: unknown = JSON.parse(json);
  if (!Array.isArray(batch)) return undefined;
  const ids: unknown[] = batch.map((each) => (isRecord(each) ? each['id'] : undefined));
  return JSON.stringify(ids.toSorted((one, other) => Number(one) - Number(other)));
}
