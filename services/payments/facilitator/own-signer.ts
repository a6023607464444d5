import { channel } from 'node:diagnostics_channel';
import type { PaymentPayload, SettleResponse } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { type Abi, encodeFunctionData, formatLog, type Hex, isAddressEqual } from 'viem';
import { findReceipt, isRevert, pollFor, type Receipt, type Rpc } from '../chain/rpc.ts';
import { type Payment, toPayload } from '../payment/payment.ts';
import { NotSentError, type TransactionSender } from '../signer/transaction-sender.ts';
import { type Facilitator, FacilitatorError, type SettlementReport, safeReason } from './facilitator.ts';

const step = channel('tollhouse:step');

type SchemeSigner = ConstructorParameters<typeof ExactEvmScheme>[0];
type WriteContract = SchemeSigner['writeContract'];

/** What the scheme's answers leave out. It reports a node that does not answer as "invalid", a lost answer as "failed". */
interface Trace {
  unreachable: boolean;
  reverted: boolean;
  /** The signed transaction that may be on its way. */
  transaction: Hex | undefined;
}

export interface OwnSignerOptions {
  readonly rpc: Rpc;
  readonly sender: TransactionSender;
  /** Longest time to wait for a receipt. */
  readonly timeoutMs: number;
}

type Note = (hash: Hex) => Promise<void>;

/** Time between two attempts to replace a transaction that is not mined. */
const HASTEN_EVERY_MS = 1000;

/** The exact scheme's facilitator on our own node and key. */
export function createOwnSigner(options: OwnSignerOptions): Facilitator {
  const { rpc, sender } = options;
  const schemeFor = (payer: Hex, trace: Trace, chainWrites: ChainWrites) =>
    new ExactEvmScheme(createSchemeSigner({ rpc, payer, address: sender.address, trace, ...chainWrites }));
  return {
    async verify(payment) {
      const trace = newTrace();
      const answer = await schemeFor(payment.payer, trace, NO_WRITES)
        .verify(...toRequest(payment))
        .catch((error: unknown) => {
          throw new FacilitatorError('the node did not verify', { cause: error });
        });
      if (answer.isValid) return { ok: true };
      if (trace.unreachable) throw new FacilitatorError('the node cannot be reached');
      return { ok: false, reason: safeReason(answer.invalidReason, 'verification_failed') };
    },

    async settle(payment, beforeSending) {
      const trace = newTrace();
      const note: Note = async (hash) => {
        await beforeSending(hash);
        trace.transaction = hash;
      };
      const chainWrites: ChainWrites = {
        writeContract: createWriter(options, trace, note),
        awaitReceipt: (hash) => awaitReceipt(options, hash, trace, note),
      };
      try {
        return readSettlement(await schemeFor(payment.payer, trace, chainWrites).settle(...toRequest(payment)), trace);
      } catch {
        return trace.transaction ? { kind: 'unknown', transaction: trace.transaction } : { kind: 'unsent' };
      }
    },

    hasten: (transaction, beforeSending) =>
      sender.hasten(transaction, beforeSending).then(
        (replacement) => replacement !== undefined,
        () => false,
      ),
  };
}

const newTrace = (): Trace => ({ unreachable: false, reverted: false, transaction: undefined });

/** Signs and sends the transaction of a settlement, and traces why it was not sent. */
function createWriter({ rpc, sender }: OwnSignerOptions, trace: Trace, note: Note): WriteContract {
  const estimateGas = async (to: Hex, data: Hex): Promise<bigint> => {
    try {
      return await rpc.estimateGas({ account: sender.address, to, data });
    } catch (error) {
      if (isRevert(error)) trace.reverted = true;
      else trace.unreachable = true;
      throw error;
    }
  };
  return async ({ address, abi, functionName, args }) => {
    // The package types the ABI as a list of unknown values.
    const data = encodeFunctionData({ abi: abi as Abi, functionName, args });
    const gas = await estimateGas(address, data);
    try {
      const hash = await sender.send({ to: address, data, gas: (gas * 13n) / 10n }, note);
      step.publish('settle.sent');
      return hash;
    } catch (error) {
      if (error instanceof NotSentError) {
        trace.transaction = undefined;
        trace.unreachable = true;
      }
      throw error;
    }
  };
}

/** The receipt of a transaction or of one of its replacements; undefined when none came in time. */
async function awaitReceipt(
  { rpc, sender, timeoutMs }: OwnSignerOptions,
  first: Hex,
  trace: Trace,
  note: Note,
): Promise<Receipt | undefined> {
  const hashes = [first];
  let last = first;
  let hastenedMs = performance.now();
  return pollFor(async () => {
    for (const hash of hashes) {
      const receipt = await findReceipt(rpc, hash);
      if (receipt === undefined) continue;
      trace.transaction = hash;
      return receipt;
    }
    if (performance.now() - hastenedMs < HASTEN_EVERY_MS) return undefined;
    // If this fails, the transaction stays as it was.
    const replacement = await sender.hasten(last, note).catch(() => undefined);
    if (replacement !== undefined) {
      hashes.push(replacement);
      last = replacement;
    }
    hastenedMs = performance.now();
    return undefined;
  }, timeoutMs);
}

/** Another claim's transaction, or an earlier one of this claim, may have settled it: the chain is asked afterwards. */
function readSettlement(answer: SettleResponse, { transaction, reverted, unreachable }: Trace): SettlementReport {
  if (transaction) return answer.success ? { kind: 'settled', transaction } : { kind: 'unknown', transaction };
  if (unreachable && !reverted) return { kind: 'unsent' };
  return { kind: 'refused', reason: safeReason(answer.errorReason, 'settlement_failed') };
}

function toRequest(payment: Payment) {
  const requirements = { ...payment.offer, extra: { ...payment.offer.extra } };
  // The package types a full ResourceInfo, and reads only `accepted` and `payload`.
  const payload = { ...toPayload(payment), accepted: requirements } as unknown as PaymentPayload;
  return [payload, requirements] as const;
}

interface ChainWrites {
  readonly writeContract: WriteContract;
  /** undefined: no receipt came in time. */
  readonly awaitReceipt: (hash: Hex) => Promise<Receipt | undefined>;
}

const refuseToWrite = () => Promise.reject(new Error('verifying writes nothing'));
const NO_WRITES: ChainWrites = { writeContract: refuseToWrite, awaitReceipt: refuseToWrite };

interface SchemeSignerOptions extends ChainWrites {
  readonly rpc: Rpc;
  readonly payer: Hex;
  readonly address: Hex;
  readonly trace: Trace;
}

const NO_CODE = '0x';
/** Answer of a contract wallet that accepts a signature (ERC-1271). */
const IS_VALID_SIGNATURE = '0x1626ba7e';

/**
 * The signer of the exact scheme. The payment's signature was recovered natively when the payment was read. The scheme
 * would do it again in JavaScript, which takes 2 ms of the event loop. So the scheme is told that the payer has code and
 * accepts the signature. This is safe: the token itself decides, in the simulation and in the estimate before sending.
 */
function createSchemeSigner({
  rpc,
  payer,
  address,
  trace,
  writeContract,
  awaitReceipt,
}: SchemeSignerOptions): SchemeSigner {
  const traced = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      if (!isRevert(error)) trace.unreachable = true;
      throw error;
    }
  };
  return {
    getAddresses: () => [address],
    async readContract({ abi, ...args }) {
      if (args.functionName === 'isValidSignature') return IS_VALID_SIGNATURE;
      return traced(rpc.readContract({ ...args, abi: abi as Abi }));
    },
    // The scheme starts this call for the asset, and does not wait for it when another check fails. So it must not
    // reject: an unhandled rejection ends the process. Without an answer, the asset counts as an account without code.
    getCode: async (args) =>
      isAddressEqual(args.address, payer) ? '0x00' : traced(rpc.getCode(args)).catch(() => NO_CODE),
    // The scheme calls this only for contract wallets and Permit2, which are refused earlier.
    verifyTypedData: () => Promise.resolve(false),
    sendTransaction: () => Promise.reject(new Error('only payments are sent')),
    writeContract,
    async waitForTransactionReceipt({ hash }) {
      const receipt = await awaitReceipt(hash);
      if (receipt === undefined) throw new Error('no receipt came in time');
      return { status: receipt.success ? 'success' : 'reverted', logs: receipt.logs.map((log) => formatLog(log)) };
    },
  };
}
