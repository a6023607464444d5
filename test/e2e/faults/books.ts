import { createPublicClient, getAddress, type Hex, isAddressEqual, parseAbi, parseEventLogs } from 'viem';
import { SETTLEMENT } from '../../../services/payments/channels/addresses.ts';
import { SETTLEMENT_ABI } from '../../../services/payments/channels/settlement-abi.ts';
import { defined } from '../../../workers/exact/defined.ts';
import {
  type ChannelBuyer,
  FUNDS,
  GRANT,
  isAnswered,
  isConfirmed,
  PRICE,
  reasonOf,
  responseOf,
  type SignedCall,
} from '../../kit/buyers.ts';
import {
  connectChain,
  decodePayment,
  type Offer,
  type TestChain,
  toChain,
  type WireAuthorization,
} from '../../kit/chain.ts';
import { type Answer, codeOf, headerOf, settlementOf } from '../../kit/client.ts';
import { withLedger } from '../../kit/stack-ledger.ts';
import { until } from '../../kit/until.ts';
import { type Ledger, query } from './quiet.ts';

/** What was bought of a stack, and what its database may lack. */
export interface Bought {
  readonly trials?: readonly SignedCall[];
  /** Single payments. All of them have been sent again until their answers were final. */
  readonly payments?: readonly SignedCall[];
  readonly channels?: readonly ChannelBuyer[];
  /** The trials that must be charged, if the database has lost some. All that were confirmed by default. */
  readonly surelyCharged?: readonly SignedCall[];
}

/**
 * Compares what clients saw with the ledger, the retained results and the chain. Call it when everything is resolved.
 * @returns the differences
 */
export async function findDifferences(stack: Ledger, bought: Bought): Promise<readonly string[]> {
  const { trials = [], payments = [], channels = [] } = bought;
  const { violations, pending } = await withLedger(stack, (ledger) => ledger.audit());
  const books = await eventuallyClaimed(stack, channels);
  return [
    ...violations.map((violation) => JSON.stringify(violation)),
    ...(pending === 0 ? [] : [`${pending} reservations are pending`]),
    ...(await findTrialFaults(stack, trials, bought.surelyCharged)),
    ...(await Promise.all(payments.map((call) => findPaymentFault(stack, call)))),
    ...channels.map((buyer, i) => {
      const fault = findChannelFault(buyer, defined(books[i]));
      return fault && `${buyer.channelId}: ${fault}`;
    }),
  ].filter((difference) => difference !== undefined);
}

/** The status of an answer and why it was refused. */
export const summaryOf = (answer: Answer) => `${answer.status} ${reasonOf(answer) ?? codeOf(answer) ?? ''}`;

export function describe(answer: Answer | undefined): string {
  return answer === undefined ? 'no answer' : `${summaryOf(answer)} ${answer.headers.get('x-trial-status')}`;
}

export type Fate = 'never reserved' | 'pending' | 'posted' | 'voided';

/** What the ledger has of wallets on trial. */
export interface TrialBooks {
  /** What became of the calls of a wallet: of the last one, if there were several. */
  fateOf(wallet: string): Fate;
  /** How many were charged, and how many results are retained. */
  countOf(wallet: string): { readonly charged: number; readonly retained: number };
  balanceOf(wallet: string): bigint;
}

/** Reads the entries, the balances and the retained results of trials. */
export async function readTrials(stack: Ledger): Promise<TrialBooks> {
  const [accounts, entries, open] = await Promise.all([
    query<{ address: string; balance: string }>(stack, 'SELECT address, balance FROM ledger.wallet'),
    query<{ account: string; charged: number; retained: number }>(
      stack,
      `SELECT account, count(*)::integer AS charged, count(record_id)::integer AS retained FROM ledger.entry
        LEFT JOIN retained_body ON record_id = id AND access = 'trial' GROUP BY account`,
    ),
    query<{ account: string }>(stack, 'SELECT account FROM ledger.reservation'),
  ]);
  const balances = new Map(accounts.map(({ address, balance }) => [address, BigInt(balance)]));
  const counts = new Map(entries.map(({ account, ...count }) => [account, count]));
  const opened = new Set(open.map(({ account }) => account));
  return {
    fateOf(wallet) {
      const account = wallet.toLowerCase();
      if (opened.has(account)) return 'pending';
      if (counts.has(account)) return 'posted';
      // An account is made with its first reservation.
      return balances.has(account) ? 'voided' : 'never reserved';
    },
    countOf: (wallet) => counts.get(wallet.toLowerCase()) ?? { charged: 0, retained: 0 },
    balanceOf: (wallet) => balances.get(wallet.toLowerCase()) ?? GRANT,
  };
}

/** What an answer says of a trial, and what may have become of it. */
const SAID: readonly { readonly is: RegExp; readonly fates: readonly Fate[] }[] = [
  { is: /^200 {2}charged confirmed \d+$/, fates: ['posted'] },
  // The database may have crashed before the charge was durable. A wallet never loses credit without a result.
  { is: /^200 {2}accounting_uncertain uncertain null$/, fates: ['posted', 'voided', 'never reserved'] },
  { is: /^50[234] \w+ released null \d+$/, fates: ['voided'] },
  { is: /^50[234] \w+ accounting_uncertain uncertain null$/, fates: ['voided', 'posted', 'never reserved'] },
  { is: /^503 OVERLOADED null null null$/, fates: ['never reserved', 'voided'] },
  { is: /^503 TRIAL_UNAVAILABLE unavailable null null$/, fates: ['never reserved', 'voided'] },
];

async function findTrialFaults(
  stack: Ledger,
  calls: readonly SignedCall[],
  surelyCharged?: readonly SignedCall[],
): Promise<readonly (string | undefined)[]> {
  const books = await readTrials(stack);
  return [...Map.groupBy(calls, ({ payer }) => payer)].map(([wallet, those]) => {
    const fault = findTrialFault(wallet, those, books, surelyCharged);
    return fault && `${wallet}: ${fault}, after ${those.flatMap(({ answers }) => answers.map(describe)).join(', ')}`;
  });
}

function findTrialFault(
  wallet: string,
  calls: readonly SignedCall[],
  books: TrialBooks,
  surelyCharged?: readonly SignedCall[],
): string | undefined {
  const fate = books.fateOf(wallet);
  const { charged, retained } = books.countOf(wallet);
  const balance = books.balanceOf(wallet);
  if (fate === 'pending') return 'it was never resolved';
  if (balance !== GRANT - PRICE * BigInt(charged)) return `${charged} charged, but the balance is ${balance}`;
  if (retained !== charged) return `${charged} charged, with ${retained} retained results`;
  let [least, most] = [0, 0];
  for (const call of calls) {
    const answer = call.answers[0];
    const found = answer && saidOf(answer);
    if (typeof found === 'string') return found;
    if (found === undefined || found.fates.includes('posted')) most += 1;
    if (surelyCharged === undefined ? isConfirmed(answer) : surelyCharged.includes(call)) least += 1;
    if (found?.fates.every((one) => one === 'voided') && surelyCharged === undefined && fate === 'never reserved') {
      return 'it was released, and never reserved';
    }
  }
  return charged < least || charged > most ? `${charged} charged, and not ${least} to ${most}` : undefined;
}

function saidOf(answer: Answer): (typeof SAID)[number] | string {
  const { status, headers } = answer;
  const trial = headers.get('x-trial-status');
  const accounting = headers.get('x-trial-accounting-status');
  const said = `${status} ${codeOf(answer) ?? ''} ${trial} ${accounting} ${headers.get('x-trial-balance-atomic')}`;
  const isAdmitted = trial !== 'unavailable' && trial !== null;
  if (isAdmitted !== (headers.get('x-access-mode') === 'trial')) return `a wrong x-access-mode with ${said}`;
  if (headers.has('payment-response')) return 'a payment response';
  return SAID.find(({ is }) => is.test(said)) ?? `an unexpected answer: ${said}`;
}

/** The refusals of a valid payment that are allowed while parts of the product are down or another call is in progress. */
const TEMPORARY: readonly string[] = [
  '502 UPSTREAM_FAILURE',
  '503 PAYMENT_UNAVAILABLE',
  '503 SETTLEMENT_PENDING',
  '503 SERVICE_UNAVAILABLE',
  '503 OVERLOADED',
  '402 invalid_batch_settlement_evm_channel_busy',
];
const EVENTS = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
]);

/** Whether a payment will never be taken: its result is lost, or it came too late. */
export const isLost = (answer: Answer): boolean =>
  answer.status === 409 || (answer.status === 402 && /valid_before: /.test(reasonOf(answer) ?? ''));

/** The first contradiction in the answers of a call that was sent several times. */
function findMisstatement({ answers }: SignedCall): string | undefined {
  const given = answers.filter((answer) => answer !== undefined);
  const paid = given.filter(({ status }) => status === 200);
  const other = given.find(
    (answer) =>
      answer.status !== 200 && !TEMPORARY.includes(summaryOf(answer)) && !(isLost(answer) && answer === given.at(-1)),
  );
  if (other !== undefined) return `an answer ${summaryOf(other)} ${other.text}`;
  return new Set(paid.map(({ text }) => text)).size > 1 ? 'the same call got different results' : undefined;
}

async function findPaymentFault({ chainUrl }: Ledger, call: SignedCall): Promise<string | undefined> {
  const { accepted: offer, payload } = decodePayment(defined(call.headers['payment-signature']));
  const chain = connectChain(chainUrl, offer.asset);
  const fault = findMisstatement(call) ?? (await findFaultOfSettlement(chain, call, offer, payload.authorization));
  return fault && `${call.payer}: ${fault}`;
}

async function findFaultOfSettlement(
  chain: TestChain,
  call: SignedCall,
  offer: Offer,
  { from, nonce }: WireAuthorization,
): Promise<string | undefined> {
  const last = call.answers.at(-1);
  const paidAnswers = call.answers.filter((answer) => answer?.status === 200);
  const spent = FUNDS - (await chain.balanceOf(from));
  if (spent !== 0n && spent !== PRICE) return `it paid ${spent}`;
  if (last?.status === 409 && codeOf(last) !== 'PAYMENT_REUSED') return `it was refused with ${last.text}`;
  if (last?.status === 402 && spent > 0n) return 'it paid, and was asked to pay again';
  const [first] = paidAnswers;
  if (first === undefined) return last !== undefined && isLost(last) ? undefined : 'it has no result';
  if (spent !== PRICE) return 'it got a result without a payment';
  if (new Set(paidAnswers.map((answer) => answer && headerOf(answer, 'payment-response'))).size > 1) {
    return 'the paid answers have different settlements';
  }
  const { success, transaction } = settlementOf(first);
  if (!success) return 'a result with a failed settlement';
  if (!(await chain.isUsed(from, nonce))) return 'the authorization is not used';
  // A sandbox chain that was killed may have lost its last second. The settlement was then sent again.
  const receipt = await chain.node.getTransactionReceipt({ hash: transaction }).catch(() => undefined);
  if (receipt === undefined) return undefined;
  const logs = parseEventLogs({ abi: EVENTS, logs: receipt.logs });
  // The transaction may settle other payments too.
  const at = logs.findIndex((log) => log.eventName === 'AuthorizationUsed' && log.args.nonce === nonce);
  const [used, transfer] = [logs[at], logs[at + 1]];
  const isSettled =
    receipt.status === 'success' &&
    used?.eventName === 'AuthorizationUsed' &&
    transfer?.eventName === 'Transfer' &&
    isAddressEqual(used.address, getAddress(offer.asset)) &&
    isAddressEqual(used.args.authorizer, from) &&
    isAddressEqual(transfer.args.from, from) &&
    isAddressEqual(transfer.args.to, getAddress(offer.payTo)) &&
    transfer.args.value === PRICE;
  return isSettled ? undefined : `${transaction} does not settle the payment`;
}

/** The wallets that have paid for one of these calls, in lower case. */
export async function findPaid({ chainUrl }: Ledger, calls: readonly SignedCall[]): Promise<readonly string[]> {
  const paid = calls.map(async ({ payer, headers }) => {
    const { asset } = decodePayment(defined(headers['payment-signature'])).accepted;
    return (await connectChain(chainUrl, asset).balanceOf(payer)) < FUNDS ? [payer.toLowerCase()] : [];
  });
  return (await Promise.all(paid)).flat();
}

/** What all stores know of one channel. */
export interface ChannelBooks {
  readonly fundedMicroUsd: bigint;
  readonly balanceMicroUsd: bigint;
  readonly reservedMicroUsd: bigint;
  readonly chargedMicroUsd: bigint;
  /** What the contract holds, and what of it is claimed. */
  readonly depositedMicroUsd: bigint;
  readonly claimedMicroUsd: bigint;
  /** What can be claimed: the latest voucher is not. After a restore, more was claimed than is known. */
  readonly claimableMicroUsd: bigint;
  /** What the latest voucher allows; 0 without one. */
  readonly voucherMicroUsd: bigint;
  /** Charged calls with a retained result. */
  readonly retained: number;
}

/** The chain is read before the ledger: what is claimed must have been charged before. */
export async function readChannelBooks(stack: Ledger, ids: readonly Hex[]): Promise<readonly ChannelBooks[]> {
  const node = createPublicClient({ transport: toChain(stack.chainUrl), batch: { multicall: false } });
  const contract = { address: SETTLEMENT, abi: SETTLEMENT_ABI } as const;
  const states = await Promise.all(
    ids.map((id) => node.readContract({ ...contract, functionName: 'channels', args: [id] })),
  );
  const [accounts, claimable, retained] = await Promise.all([
    withLedger(stack, (ledger) => ledger.channels(ids)),
    query<{ id: string; claimable: bigint }>(stack, 'SELECT id, claimable::bigint FROM ledger.channel'),
    query<{ channel: string; calls: number }>(
      stack,
      `SELECT account AS channel, count(*)::integer AS calls FROM ledger.entry JOIN retained_body ON record_id = id
        WHERE access = 'channel' GROUP BY account`,
    ),
  ]);
  return ids.map((id, i) => {
    const [depositedMicroUsd, claimedMicroUsd] = defined(states[i]);
    const account = defined(accounts[i]);
    return {
      ...account,
      depositedMicroUsd,
      claimedMicroUsd,
      claimableMicroUsd: BigInt(claimable.find((channel) => channel.id === id)?.claimable ?? 0),
      voucherMicroUsd: account.voucher?.cumulativeMicroUsd ?? 0n,
      retained: retained.find(({ channel }) => channel === id)?.calls ?? 0,
    };
  });
}

/** The books of channels when all that can be is claimed. */
export function eventuallyClaimed(stack: Ledger, buyers: readonly ChannelBuyer[]): Promise<readonly ChannelBooks[]> {
  const ids = buyers.map(({ channelId }) => channelId);
  return until(async () => {
    const books = await readChannelBooks(stack, ids);
    const open = books.filter(({ claimedMicroUsd, claimableMicroUsd }) => claimedMicroUsd < claimableMicroUsd);
    if (open.length === 0) return books;
    throw new Error(open.map((each) => `${each.claimedMicroUsd} of ${each.claimableMicroUsd}`).join(', '));
  });
}

/** What must be true at every moment, also while calls and claims are in progress. */
export function findBrokenRule(books: ChannelBooks): string | undefined {
  const { fundedMicroUsd, balanceMicroUsd, reservedMicroUsd, chargedMicroUsd } = books;
  if (balanceMicroUsd + reservedMicroUsd + chargedMicroUsd !== fundedMicroUsd) return 'the account does not add up';
  if (fundedMicroUsd > books.depositedMicroUsd) return 'it has more credit than was deposited';
  if (books.claimedMicroUsd > chargedMicroUsd) return 'more was claimed than charged';
  return books.voucherMicroUsd < chargedMicroUsd ? 'a charge has no durable voucher' : undefined;
}

/** The first contradiction between a payer's answers and the books, when all calls and claims have ended. */
function findChannelFault({ calls }: ChannelBuyer, books: ChannelBooks): string | undefined {
  const { reservedMicroUsd, chargedMicroUsd, fundedMicroUsd, depositedMicroUsd } = books;
  const broken = findBrokenRule(books);
  if (broken !== undefined) return broken;
  const answered = calls.filter(isAnswered);
  if (reservedMicroUsd !== 0n) return `${reservedMicroUsd} is reserved`;
  if (fundedMicroUsd !== depositedMicroUsd) return `${fundedMicroUsd} is credited of ${depositedMicroUsd}`;
  if (chargedMicroUsd !== PRICE * BigInt(answered.length)) {
    return `${chargedMicroUsd} is charged for ${answered.length} answers`;
  }
  if (books.voucherMicroUsd !== chargedMicroUsd) return `the voucher is for ${books.voucherMicroUsd}`;
  if (books.retained !== answered.length) return `${books.retained} answers are retained of ${answered.length}`;
  return calls.map((call, i) => findMisstatement(call) ?? findWrongResponse(call, PRICE * BigInt(i + 1))).find(Boolean);
}

function findWrongResponse({ answers }: SignedCall, cumulativeMicroUsd: bigint): string | undefined {
  const paid = answers.filter((answer) => answer?.status === 200).map((answer) => responseOf(defined(answer)));
  const wrong = paid.find(({ success, extra }) => {
    const { chargedAmount, channelState } = extra ?? {};
    const state: unknown = Object(channelState)['chargedCumulativeAmount'];
    return !success || chargedAmount !== `${PRICE}` || state !== `${cumulativeMicroUsd}`;
  });
  return wrong && `a payment response ${JSON.stringify(wrong)}`;
}
