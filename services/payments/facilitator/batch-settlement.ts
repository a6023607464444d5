import { channel } from 'node:diagnostics_channel';
import { BaseError, type Hex, InsufficientFundsError } from 'viem';
import { defined } from '../../../workers/exact/defined.ts';
import { createProofReader, createProofs, findUse, type SettledUse } from '../chain/authorization-use.ts';
import { decide } from '../chain/nodes.ts';
import { findReceipt, LOG_RANGE_BLOCKS, pollFor, type Receipt } from '../chain/rpc.ts';
import type { Payment } from '../payment/payment.ts';
import { causeOf, GAS_PER_SETTLEMENT, type GasRequest, mostOf } from '../signer/gas-budget.ts';
import { type BeforeSending, NotSentError } from '../signer/transaction-sender.ts';
import { transactionFor } from './batch-transaction.ts';
import type { SettlementReport } from './facilitator.ts';
import { type CountGas, countMined, createGasCounter, type Examined } from './lost-gas.ts';
import type { SigningContext } from './signing-context.ts';
import { createTurns, type WaitForTurn } from './turns.ts';
import { TOO_MUCH_GAS, TRANSACTION_FAILED, USED, type Verifier } from './verification.ts';

const step = channel('tollhouse:step');

/** A payment that is due. */
export interface Member {
  readonly payment: Payment;
  /** Stores the transaction of the payment, before it is sent. @throws when the payment must not be sent */
  readonly note: BeforeSending;
}

interface Settling extends SigningContext {
  readonly verifier: Verifier;
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
export function createBatchSettlement(
  given: SigningContext & { readonly verifier: Verifier },
): (members: readonly Member[]) => Batch {
  const context = { ...given, waitForTurn: createTurns(), countGas: createGasCounter(given.logger) };
  return (members) => {
    const untilMs = performance.now() + context.settleTimeoutMs;
    const chosen = chooseWays(context, members).catch(() => members.map(() => 'unsent' as const));
    const outcomes = chosen.then((ways) =>
      send(context, { members: members.filter((_, index) => ways[index] === 'together'), untilMs }),
    );
    const reports = members.map(async (member, index) => {
      const way = defined((await chosen)[index]);
      if (way === 'unsent') return UNSENT;
      if (way !== 'together') return settleAlone(context, member, { untilMs, hasCode: way === 'coded' });
      const outcome = defined((await outcomes).get(member));
      return outcome.kind === 'alone' ? settleStarved(context, member, outcome, untilMs) : outcome;
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
async function chooseWays({ calls, gasBudget }: Settling, members: readonly Member[]): Promise<readonly Way[]> {
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
  { verifier }: { readonly verifier: Verifier },
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

/** Settles one payment in a transaction of its own, if the gas of today suffices for one that fails. */
async function settleAlone(
  context: Settling,
  member: Member,
  { untilMs, hasCode }: { readonly untilMs: number; readonly hasCode: boolean },
): Promise<SettlementReport> {
  const { gasBudget, waitForTurn, countGas } = context;
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
  const report = (await examine(context, member)) ?? (await sendAlone(context, member, { untilMs, cause }));
  // The transaction of an earlier attempt may still be mined.
  if (!('transaction' in report) && turn === 'new') await countGas({ cause }, () => gasBudget.end(cause, 0n));
  return report;
}

/**
 * Sends a payment by itself whose batch was mined and did not settle it: a payer that got code in the meantime used up the
 * gas. The batch is decided, so nothing else of this payment is on its way.
 */
async function settleStarved(
  context: Settling,
  member: Member,
  { transaction, share }: Starved,
  untilMs: number,
): Promise<SettlementReport> {
  const { payer } = member.payment;
  const report = await settleAgain(context, member, transaction, untilMs).catch(
    () => ({ kind: 'unknown', transaction }) as const,
  );
  if (report.kind !== 'settled' && share > 0n) {
    await context.countGas({ transaction }, () => context.gasBudget.lose(transaction, [payer], share));
  }
  return report;
}

async function settleAgain(
  context: Settling,
  member: Member,
  transaction: Hex,
  untilMs: number,
): Promise<SettlementReport> {
  const hasCode = await context.calls.hasCode(member.payment.payer);
  const again = await settleAlone(context, member, { untilMs, hasCode });
  // What was sent before may come back after a reorganization.
  if (again.kind === 'unsent') return { kind: 'unknown', transaction };
  // Its code used up the gas of the batch.
  return hasCode && again.kind === 'refused' ? { transaction, ...again, isPayersFault: true } : again;
}

/** Sends the transaction of one payment. */
async function sendAlone(context: Settling, member: Member, order: Omit<Order, 'members'>): Promise<SettlementReport> {
  const outcome = defined((await send(context, { ...order, members: [member] })).get(member));
  return outcome.kind === 'alone' ? { kind: 'unknown', transaction: outcome.transaction } : outcome;
}

interface Order {
  readonly members: readonly Member[];
  readonly untilMs: number;
  /** For which the gas is reserved: the payment of the only member. */
  readonly cause?: string;
}

/** Sends one transaction for all members, and waits until it is mined. */
async function send(context: Settling, order: Order): Promise<Outcomes> {
  const { members } = order;
  if (members.length === 0) return new Map();
  const { sender, terms } = context;
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
    return await follow(context, order, hash);
  } catch (error) {
    if (dropped.size > 0) {
      const others = members.filter((member) => !dropped.has(member));
      return new Map([...all({ kind: 'unsent' }), ...(await send(context, { ...order, members: others }))]);
    }
    if (!(error instanceof NotSentError) && noted !== undefined) return all({ kind: 'unknown', transaction: noted });
    if (members.length === 1 || !isTooExpensive(error)) return all({ kind: 'unsent' });
    // The signer can pay for a smaller transaction. The gas that it does not use is free again for the next one.
    const half = Math.floor(members.length / 2);
    const first = await send(context, { ...order, members: members.slice(0, half) });
    return new Map([...first, ...(await send(context, { ...order, members: members.slice(half) }))]);
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
async function follow(context: Settling, order: Order, hash: Hex): Promise<Outcomes> {
  const { members } = order;
  const { transaction, receipt } = await awaitReceipt(context, order, hash);
  if (receipt === undefined) return new Map(members.map((member) => [member, { kind: 'unknown', transaction }]));
  step.publish('settle.mined');
  const findProof = createProofReader(transaction, receipt, context.terms.asset);
  const proofs = members.map(({ payment }) => findProof(authorizationOf(payment)));
  const examined = await Promise.all(
    members.map((member, index) => examineMined(context, member, { transaction, proof: proofs[index] })),
  );
  const mined = { transaction, used: receipt.gasUsed, cause: order.cause };
  const shareOf = await countMined(context, mined, examined);
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
  context: Settling,
  member: Member,
  { transaction, proof }: { readonly transaction: Hex; readonly proof: SettledUse | undefined },
): Promise<Examined> {
  const { payment } = member;
  if (proof !== undefined) return { payment, hasCode: false, report: { kind: 'settled', transaction, proof } };
  try {
    const [report, hasCode] = await Promise.all([examine(context, member), context.calls.hasCode(payment.payer)]);
    const isUsed = report?.kind === 'refused' && report.reason === USED;
    const other = isUsed ? await findOtherProof(context, payment) : undefined;
    if (other === undefined) return { payment, hasCode, report };
    return { payment, hasCode, report: { kind: 'settled', transaction: other.transaction, proof: other } };
  } catch {
    return { payment, hasCode: false, report: { kind: 'unsent' } };
  }
}

/** How somebody else's transaction settled a payment: anyone may send an authorization. */
async function findOtherProof(
  { rpc, terms: { asset }, calls }: Settling,
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
async function awaitReceipt({ rpc, sender, versionsOf }: Settling, { untilMs }: Order, hash: Hex): Promise<Mined> {
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
