import { channel } from 'node:diagnostics_channel';
import { BaseError, type Hex, InsufficientFundsError } from 'viem';
import { defined } from '../../../workers/exact/defined.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { createProofReader, createProofs, findUse, type SettledUse } from '../chain/authorization-use.ts';
import type { Calls } from '../chain/calls.ts';
import { decide, type Rpc } from '../chain/nodes.ts';
import { findReceipt, LOG_RANGE_BLOCKS, pollFor, type Receipt } from '../chain/rpc.ts';
import type { Payment } from '../payment/payment.ts';
import type { Terms } from '../payment/terms.ts';
import { causeOf, GAS_PER_SETTLEMENT, type GasBudget, type GasRequest, mostOf } from '../signer/gas-budget.ts';
import { type BeforeSending, NotSentError, type TransactionSender } from '../signer/transaction-sender.ts';
import { transactionFor } from './batch-transaction.ts';
import type { SettlementReport } from './facilitator.ts';
import { type CountGas, countMined, createGasCounter, type Examined } from './lost-gas.ts';
import { createTurns, type WaitForTurn } from './turns.ts';
import { TOO_MUCH_GAS, TRANSACTION_FAILED, USED, type Verifier } from './verification.ts';

const step = channel('tollhouse:step');

/** A payment that is due. */
export interface Member {
  readonly payment: Payment;
  /** Stores the transaction of the payment, before it is sent. @throws when the payment must not be sent */
  readonly note: BeforeSending;
}

export interface BatchSettlementOptions {
  readonly rpc: Rpc;
  readonly terms: Pick<Terms, 'asset'>;
  readonly calls: Pick<Calls, 'hasCode' | 'blockNumber'>;
  readonly sender: TransactionSender;
  readonly verifier: Pick<Verifier, 'check'>;
  readonly gasBudget: GasBudget;
  /** A transaction with all its replacements. */
  readonly versionsOf: (transaction: Hex) => Promise<readonly Hex[]>;
  /** Longest time to wait for a receipt. */
  readonly timeoutMs: number;
  readonly logger: Logger;
}

interface Settling extends BatchSettlementOptions {
  readonly waitForTurn: WaitForTurn;
  readonly countGas: CountGas;
}

/** Most payments of one payer with code that are on their way: as many may fail in an hour. */
const MAX_CODED_AT_ONCE = 5;

/** Time between two attempts to replace a transaction that is not mined. */
const HASTEN_EVERY_MS = 1000;

/** The token would take a payment that the transaction of the batch did not settle. */
interface Starved {
  readonly kind: 'alone';
  readonly transaction: Hex;
  /** What its payer has lost if the payment does not settle alone either: then it may have used up the gas. */
  readonly share: bigint;
}
type Outcome = SettlementReport | Starved;
type Outcomes = ReadonlyMap<Member, Outcome>;

/** Payments that are being settled. */
export interface Batch {
  /** In the order of the members, each as soon as it is known. They never fail. */
  readonly reports: readonly Promise<SettlementReport>[];
  /** Ends when the transaction of the payments that are sent together is mined, or was not in time. */
  readonly ended: Promise<void>;
}

/**
 * Sends payments in one transaction, and those of payers with code each in a transaction of its own: their code can use up
 * the gas of a transaction.
 */
export function createBatchSettlement(given: BatchSettlementOptions): (members: readonly Member[]) => Batch {
  const options = { ...given, waitForTurn: createTurns(), countGas: createGasCounter(given.logger) };
  return (members) => {
    const untilMs = performance.now() + options.timeoutMs;
    const chosen = chooseWays(options, members).catch(() => members.map(() => 'unsent' as const));
    const outcomes = chosen.then((ways) =>
      send(options, { members: members.filter((_, index) => ways[index] === 'together'), untilMs }),
    );
    const reports = members.map(async (member, index) => {
      const way = defined((await chosen)[index]);
      if (way === 'unsent') return UNSENT;
      if (way !== 'together') return settleAlone(options, member, { untilMs, hasCode: way === 'coded' });
      const outcome = defined((await outcomes).get(member));
      return outcome.kind === 'alone' ? settleStarved(options, member, outcome, untilMs) : outcome;
    });
    return { reports, ended: outcomes.then(() => undefined) };
  };
}

const UNSENT = { kind: 'unsent' } as const satisfies SettlementReport;
const TOO_MUCH = { kind: 'refused', reason: TOO_MUCH_GAS } as const satisfies SettlementReport;

/** How a payment is settled. `alone`: with the gas of its payer. `coded`: also with that of all payers with code. */
type Way = 'together' | 'alone' | 'coded';

/**
 * A payer without code may get it until the block of its transaction. So one that lost gas today pays alone, and all do once
 * the gas of payers with code is used up.
 */
async function chooseWays(
  { calls, gasBudget }: BatchSettlementOptions,
  members: readonly Member[],
): Promise<readonly Way[]> {
  const payers = members.map(({ payment }) => payment.payer);
  const [codes, spent] = await Promise.all([
    Promise.all(payers.map((payer) => calls.hasCode(payer))),
    gasBudget.spentBy([...payers, 'code']),
  ]);
  const isUsedUp = spent('code') + GAS_PER_SETTLEMENT > mostOf('code');
  return payers.map((payer, index) => {
    // The bytes of a long signature cost gas also without the code that agreed to it.
    if (codes[index] || members[index]?.payment.walletSignature !== undefined) return 'coded';
    return spent(payer) > 0n || isUsedUp ? 'alone' : 'together';
  });
}

/** Simulates a payment that is due. @returns undefined where it can settle */
export async function examine(
  { verifier }: Pick<BatchSettlementOptions, 'verifier'>,
  { payment }: Member,
): Promise<Extract<SettlementReport, { readonly kind: 'refused' | 'unsent' }> | undefined> {
  try {
    const failure = await verifier.check(payment);
    if (failure === undefined) return undefined;
    const { reason, isPayersFault } = failure;
    return { kind: 'refused', reason, ...(isPayersFault && { isPayersFault }) };
  } catch {
    return { kind: 'unsent' };
  }
}

interface Solo {
  readonly untilMs: number;
  readonly hasCode: boolean;
}

/** Settles one payment in a transaction of its own, if the gas of today suffices for one that fails. */
async function settleAlone(options: Settling, member: Member, { untilMs, hasCode }: Solo): Promise<SettlementReport> {
  const { gasBudget, waitForTurn, countGas } = options;
  const { payer, authorization } = member.payment;
  const cause = causeOf({ payer, nonce: authorization.nonce });
  const request: GasRequest = {
    cause,
    accounts: hasCode ? [payer, 'code'] : [payer],
    limit: GAS_PER_SETTLEMENT,
    atOnce: hasCode ? MAX_CODED_AT_ONCE : undefined,
  };
  const turn = await waitForTurn(payer, untilMs, () => gasBudget.reserve(request)).catch(() => 'full' as const);
  if (turn === 'refused') return TOO_MUCH;
  if (turn === 'full') return UNSENT;
  const report = (await examine(options, member)) ?? (await sendAlone(options, { member, untilMs, cause }));
  // The transaction of an earlier attempt may still be mined.
  if (!('transaction' in report) && turn === 'new') await countGas({ cause }, () => gasBudget.end(cause, 0n));
  return report;
}

/**
 * Sends a payment by itself whose batch was mined and did not settle it: a payer that got code in the meantime used up the
 * gas. The batch is decided, so nothing else of this payment is on its way.
 */
async function settleStarved(
  options: Settling,
  member: Member,
  { transaction, share }: Starved,
  untilMs: number,
): Promise<SettlementReport> {
  const { payer } = member.payment;
  const report = await settleAgain(options, member, transaction, untilMs).catch(
    () => ({ kind: 'unknown', transaction }) as const,
  );
  if (report.kind !== 'settled' && share > 0n) {
    await options.countGas({ transaction }, () => options.gasBudget.lose(transaction, [payer], share));
  }
  return report;
}

async function settleAgain(
  options: Settling,
  member: Member,
  transaction: Hex,
  untilMs: number,
): Promise<SettlementReport> {
  const hasCode = await options.calls.hasCode(member.payment.payer);
  const again = await settleAlone(options, member, { untilMs, hasCode });
  // What was sent before may come back after a reorganization.
  if (again.kind === 'unsent') return { kind: 'unknown', transaction };
  // Its code used up the gas of the batch.
  return hasCode && again.kind === 'refused' ? { transaction, ...again, isPayersFault: true } : again;
}

interface Alone extends Omit<Order, 'members'> {
  readonly member: Member;
}

/** Sends the transaction of one payment. */
async function sendAlone(options: Settling, { member, ...order }: Alone): Promise<SettlementReport> {
  const outcome = defined((await send(options, { ...order, members: [member] })).get(member));
  return outcome.kind === 'alone' ? { kind: 'unknown', transaction: outcome.transaction } : outcome;
}

interface Order {
  readonly members: readonly Member[];
  readonly untilMs: number;
  /** For which the gas is reserved: the payment of the only member. */
  readonly cause?: string;
}

/** Sends one transaction for all members, and waits until it is mined. */
async function send(options: Settling, order: Order): Promise<Outcomes> {
  const { members } = order;
  if (members.length === 0) return new Map();
  const { sender, terms } = options;
  const dropped = new Set<Member>();
  let noted: Hex | undefined;
  const note: BeforeSending = async (hash, signed) => {
    const notes = await Promise.allSettled(members.map((member) => member.note(hash, signed)));
    for (const [index, { status }] of notes.entries()) if (status === 'rejected') dropped.add(defined(members[index]));
    if (dropped.size > 0) throw new Error('some payments may not be sent');
    noted = hash;
    step.publish('settle.noted');
  };
  const all = (outcome: Outcome): Outcomes => new Map(members.map((member) => [member, outcome]));
  try {
    const payments = members.map(({ payment }) => payment);
    const hash = await sender.send(transactionFor(terms, payments), note);
    step.publish('settle.sent');
    return await follow(options, order, hash);
  } catch (error) {
    if (dropped.size > 0) {
      const others = members.filter((member) => !dropped.has(member));
      return new Map([...all({ kind: 'unsent' }), ...(await send(options, { ...order, members: others }))]);
    }
    if (!(error instanceof NotSentError) && noted !== undefined) return all({ kind: 'unknown', transaction: noted });
    if (members.length === 1 || !isTooExpensive(error)) return all({ kind: 'unsent' });
    // The signer can pay for a smaller transaction. The gas that it does not use is free again for the next one.
    const half = Math.floor(members.length / 2);
    const first = await send(options, { ...order, members: members.slice(0, half) });
    return new Map([...first, ...(await send(options, { ...order, members: members.slice(half) }))]);
  }
}

function isTooExpensive(error: unknown): boolean {
  const cause = error instanceof NotSentError ? error.cause : undefined;
  if (!(cause instanceof BaseError)) return false;
  return (
    cause.walk((each) => each instanceof InsufficientFundsError) !== null || /insufficient funds/i.test(cause.message)
  );
}

/** Waits for the receipt of a transaction, and reads what it did for each member. */
async function follow(options: Settling, order: Order, hash: Hex): Promise<Outcomes> {
  const { members } = order;
  const { transaction, receipt } = await awaitReceipt(options, order, hash);
  if (receipt === undefined) return new Map(members.map((member) => [member, { kind: 'unknown', transaction }]));
  step.publish('settle.mined');
  const findProof = createProofReader(transaction, receipt, options.terms.asset);
  const proofs = members.map(({ payment }) => findProof(authorizationOf(payment)));
  const examined = await Promise.all(
    members.map((member, index) => examineMined(options, member, { transaction, proof: proofs[index] })),
  );
  const mined = { transaction, used: receipt.gasUsed, cause: order.cause };
  const shareOf = await countMined(options, mined, examined);
  const isBatch = members.length > 1;
  return new Map(
    examined.map(({ report, hasCode }, index): readonly [Member, Outcome] => {
      const member = defined(members[index]);
      if (report?.kind === 'settled') return [member, report];
      if (report?.kind === 'refused')
        return [member, { ...report, transaction, ...(hasCode && { isPayersFault: true }) }];
      if (report === undefined && isBatch)
        return [member, { kind: 'alone', transaction, share: shareOf(member.payment.payer) }];
      if (report === undefined && hasCode) return [member, { ...FAILED, transaction }];
      return [member, { kind: 'unknown', transaction }];
    }),
  );
}

/** The code of the payer says yes again. */
const FAILED = { kind: 'refused', reason: TRANSACTION_FAILED, isPayersFault: true } as const;

const authorizationOf = ({ payer, authorization: { nonce, to, value } }: Payment) => ({
  payer,
  nonce,
  payTo: to,
  amount: value,
});

/** Looks at a payment whose transaction was mined, with its proof if it has one. */
async function examineMined(
  options: BatchSettlementOptions,
  member: Member,
  { transaction, proof }: { readonly transaction: Hex; readonly proof: SettledUse | undefined },
): Promise<Examined> {
  const { payment } = member;
  if (proof !== undefined) return { payment, hasCode: false, report: { kind: 'settled', transaction, proof } };
  try {
    const [report, hasCode] = await Promise.all([examine(options, member), options.calls.hasCode(payment.payer)]);
    const isUsed = report?.kind === 'refused' && report.reason === USED;
    const other = isUsed ? await findOtherProof(options, payment) : undefined;
    if (other === undefined) return { payment, hasCode, report };
    return { payment, hasCode, report: { kind: 'settled', transaction: other.transaction, proof: other } };
  } catch {
    return { payment, hasCode: false, report: { kind: 'unsent' } };
  }
}

/** How somebody else's transaction settled a payment: anyone may send an authorization. */
async function findOtherProof(
  { rpc, terms: { asset }, calls }: BatchSettlementOptions,
  payment: Payment,
): Promise<SettledUse | undefined> {
  const search = { rpc, asset, proofsOf: createProofs(rpc, asset) };
  const use = await decide(async () => {
    const to = await calls.blockNumber();
    const from = to < LOG_RANGE_BLOCKS ? 0n : to - LOG_RANGE_BLOCKS + 1n;
    return findUse(search, authorizationOf(payment), { from, to });
  });
  return use?.kind === 'settled' ? use : undefined;
}

interface Mined {
  /** The mined transaction, or the last one that was sent. */
  readonly transaction: Hex;
  /** undefined: no receipt came in time. */
  readonly receipt: Receipt | undefined;
}

/** Looks for the receipt of a transaction or of one of its replacements. */
async function awaitReceipt(
  { rpc, sender, versionsOf }: BatchSettlementOptions,
  { untilMs }: Order,
  hash: Hex,
): Promise<Mined> {
  let hashes: readonly Hex[] = [hash];
  let hastenedMs = performance.now();
  const mined = await pollFor(async (): Promise<Mined | undefined> => {
    for (const transaction of hashes) {
      const receipt = await findReceipt(rpc, transaction).catch(() => undefined);
      if (receipt !== undefined) return { transaction, receipt };
    }
    if (performance.now() - hastenedMs < HASTEN_EVERY_MS) return undefined;
    // If this fails, the transaction stays as it was. Another copy may replace it too.
    await sender.hasten(hash).catch(() => undefined);
    hashes = await versionsOf(hash).catch(() => hashes);
    hastenedMs = performance.now();
    return undefined;
  }, untilMs - performance.now());
  return mined ?? { transaction: defined(hashes.at(-1)), receipt: undefined };
}
