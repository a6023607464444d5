import type { ChannelConfig } from './channel.ts';
import type { Hex } from './connection.ts';
import type { Request } from './http.ts';
import { isAddress } from './payment.ts';
import type { Store } from './store.ts';
import { fromBase64, isText, membersOf, sha256, toPrice, toSum } from './values.ts';

/** What the store keeps of a channel. */
export interface ChannelRecord {
  /** Its name in the store. */
  readonly name: string;
  readonly config: ChannelConfig;
  /** The sum of the charges that were confirmed. */
  readonly chargedMicroUsd: bigint;
  /** The call whose outcome is not known. A channel has one at most. */
  readonly open?: OpenCall;
}

export interface OpenCall {
  readonly request: Pick<Request, 'url' | 'body'>;
  readonly payment: ChannelPayment;
}

/** A call's signed voucher, and its deposit if it has one. Everything but the header is read from it. */
export interface ChannelPayment {
  /** The value of PAYMENT-SIGNATURE. */
  readonly header: string;
  readonly payer: string;
  /** CAIP-2. */
  readonly network: string;
  readonly channelId: Hex;
  readonly priceMicroUsd: bigint;
  /** What the voucher is for: all charges up to this one. */
  readonly sumMicroUsd: bigint;
  /** Seconds since 1970. Undefined without a deposit: a voucher does not expire. */
  readonly validBefore: number | undefined;
}

/** The beginning of the names of a wallet's channels at one server. */
export const channelPrefixOf = async (origin: string, address: string): Promise<string> =>
  `tollhouse-channel-${await sha256(JSON.stringify([origin, address.toLowerCase()]))}-`;

export const isOpenFor =
  ({ url, body }: Pick<Request, 'url' | 'body'>) =>
  ({ open }: ChannelRecord): boolean =>
    open?.request.url.href === url.href && open.request.body === body;

/** @throws {Error} if the store fails, or keeps something else */
export async function readRecords(store: Store, prefix: string): Promise<readonly ChannelRecord[]> {
  return (await store.list(prefix)).map(({ name, value }) => readRecord(name, value));
}

/** @throws the error of the store */
export async function keepRecord(store: Store, { name, config, chargedMicroUsd, open }: ChannelRecord): Promise<void> {
  const call = open && { url: open.request.url.href, body: open.request.body, header: open.payment.header };
  await store.set(name, JSON.stringify({ config, charged: `${chargedMicroUsd}`, open: call }));
}

function readRecord(name: string, value: string): ChannelRecord {
  const { config, charged, open } = membersOf(JSON.parse(value));
  const chargedMicroUsd = toSum(charged);
  const call = open === undefined ? undefined : readOpenCall(membersOf(open));
  const isDamaged =
    (open !== undefined && call === undefined) || (call && !name.endsWith(call.payment.channelId.slice(2)));
  if (chargedMicroUsd === undefined || isDamaged) throw new TypeError(`the store keeps no channel as ${name}`);
  // Written here, and read by nobody but its owner.
  return { name, config: config as ChannelConfig, chargedMicroUsd, ...(call && { open: call }) };
}

function readOpenCall({ url, body, header }: Readonly<Record<string, unknown>>): OpenCall | undefined {
  if (typeof url !== 'string' || typeof body !== 'string' || typeof header !== 'string') return undefined;
  const payment = readChannelPayment(header);
  return payment && { request: { url: new URL(url), body }, payment };
}

/** Reads a payment that was made here. Undefined if it is something else. */
export function readChannelPayment(header: string): ChannelPayment | undefined {
  const { accepted, payload } = fromBase64(header);
  const { network, amount } = membersOf(accepted);
  const { channelConfig, voucher, deposit } = membersOf(payload);
  const { payer } = membersOf(channelConfig);
  const { channelId, maxClaimableAmount } = membersOf(voucher);
  const { validBefore } = membersOf(membersOf(membersOf(deposit)['authorization'])['erc3009Authorization']);
  const [priceMicroUsd, sumMicroUsd] = [toPrice(amount), toPrice(maxClaimableAmount)];
  if (!isAddress(payer) || typeof network !== 'string' || !isId(channelId)) return undefined;
  if (priceMicroUsd === undefined || sumMicroUsd === undefined) return undefined;
  const times = { validBefore: validBefore === undefined ? undefined : Number(validBefore) };
  return { header, payer, network, channelId, priceMicroUsd, sumMicroUsd, ...times };
}

const isId = (value: unknown): value is Hex => isText(value, /^0x[0-9a-f]{64}$/);
