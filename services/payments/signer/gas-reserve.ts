import type { Hex } from 'viem';
import { formatGwei } from 'viem';
import { atMostOnce } from '../../platform/at-most-once.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { decide, type Rpc } from '../chain/nodes.ts';
import { bounded, feesFor, type Market } from './fees.ts';
import { GAS_PER_SETTLEMENT, type GasBudget, readSharedGas, type SharedGas } from './gas-budget.ts';

/** What the signer has, and what it must have. */
export interface GasBalance {
  readonly address: Hex;
  readonly balanceWei: bigint;
  /** What `settlements`, and claims of `unclaimedChannels`, cost at the fees of now. */
  readonly neededWei: bigint;
  readonly settlements: number;
  readonly unclaimedChannels: number;
  readonly shared: readonly SharedGas[];
}

export type GasReserve = ReturnType<typeof createGasReserve>;

/** A claim of 1 channel takes 140,000 with the transfer to the payee, and one of 100 channels 2.5 million. */
const GAS_PER_CLAIM = 150_000n;
const GAS_PER_CLAIMED_CHANNEL = 35_000n;
const CHANNELS_PER_CLAIM = 100n;
/** A check is made every second, and what channels owe changes slowly. */
const COUNT_FRESH_MS = 5000;

export interface GasReserveOptions {
  readonly rpc: Rpc;
  readonly address: Hex;
  readonly readMarket: () => Promise<Market>;
  /** Highest fee of a transaction for a unit of gas, in wei. */
  readonly maxFeePerGas: bigint;
  /** How many settlements the balance must pay for. */
  readonly settlements: number;
  /** Channels that were charged more than is claimed. */
  readonly countUnclaimed: () => Promise<number>;
  readonly gasBudget: Pick<GasBudget, 'spentBy'>;
}

/** Makes sure that the signer can pay for the settlement of what is executed, and for claims of what is charged. */
export function createGasReserve(options: GasReserveOptions) {
  const { rpc, address, readMarket, maxFeePerGas, settlements, countUnclaimed, gasBudget } = options;
  let fault: ServiceError | undefined;
  const countOrLast = orLast(countUnclaimed, 0);
  const countSometimes = atMostOnce({ freshMs: COUNT_FRESH_MS, monotonicMs: () => performance.now() }, countOrLast);
  const readShared = orLast<readonly SharedGas[]>(() => readSharedGas(gasBudget), []);
  const admit = () => {
    if (fault !== undefined) throw fault;
  };
  async function readNeeded(count: () => Promise<number>): Promise<Omit<GasBalance, 'shared'>> {
    const [[balanceWei, market], unclaimedChannels] = await Promise.all([
      decide(() => Promise.all([rpc.getBalance({ address }), readMarket()])),
      count(),
    ]);
    const fee = bounded(feesFor(market), maxFeePerGas).maxFeePerGas;
    const gas = BigInt(settlements) * GAS_PER_SETTLEMENT + gasOfClaims(BigInt(unclaimedChannels));
    const neededWei = gas * fee;
    return { address, balanceWei, neededWei, settlements, unclaimedChannels };
  }

  return {
    /** @throws {ServiceError} PAYMENT_UNAVAILABLE when the balance was too low at the last check */
    admit,
    async read(): Promise<GasBalance> {
      const [needed, shared] = await Promise.all([readNeeded(countOrLast), readShared()]);
      return { ...needed, shared };
    },
    /** Reads the balance. @throws {ServiceError} PAYMENT_UNAVAILABLE when it is too low; another error for a silent node */
    async check(): Promise<void> {
      const found = await readNeeded(countSometimes);
      fault = found.balanceWei < found.neededWei ? tooLow(found) : undefined;
      admit();
    },
  };
}

/** Without an answer of the database, the last one is good enough: settlements do not need the database. */
function orLast<T>(read: () => Promise<T>, first: T): () => Promise<T> {
  let last = first;
  return async () => {
    last = await read().catch(() => last);
    return last;
  };
}

const gasOfClaims = (channels: bigint): bigint =>
  ((channels + CHANNELS_PER_CLAIM - 1n) / CHANNELS_PER_CLAIM) * GAS_PER_CLAIM + channels * GAS_PER_CLAIMED_CHANNEL;

function tooLow({
  address,
  balanceWei,
  neededWei,
  settlements,
  unclaimedChannels,
}: Omit<GasBalance, 'shared'>): ServiceError {
  return new ServiceError(
    'PAYMENT_UNAVAILABLE',
    `payments are not available: the signer ${address} has ${formatGwei(balanceWei)} gwei, and ${settlements} settlements and claims of ${unclaimedChannels} channels cost up to ${formatGwei(neededWei)} gwei`,
  );
}
