import type { Hex } from 'viem';
import { formatGwei } from 'viem';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import type { Rpc } from '../chain/rpc.ts';
import { bounded, feesFor, type Market } from './fees.ts';

/** What the signer has, and what it must have. */
export interface GasBalance {
  readonly address: Hex;
  readonly balanceWei: bigint;
  /** What `settlements` cost at the fees of now. */
  readonly neededWei: bigint;
  readonly settlements: number;
}

/** Makes sure that the signer can pay for the settlement of what is executed. */
export interface GasReserve {
  read(): Promise<GasBalance>;
  /** Reads the balance. @throws {ServiceError} PAYMENT_UNAVAILABLE when it is too low; another error for a silent node */
  check(): Promise<void>;
  /** @throws {ServiceError} PAYMENT_UNAVAILABLE when the balance was too low at the last check */
  admit(): void;
}

/** The gas limit of a settlement. A transferWithAuthorization of USDC takes 60,000 to 90,000. */
export const GAS_PER_SETTLEMENT = 120_000n;

export interface GasReserveOptions {
  readonly rpc: Rpc;
  readonly address: Hex;
  readonly readMarket: () => Promise<Market>;
  /** Highest fee of a transaction for a unit of gas, in wei. */
  readonly maxFeePerGas: bigint;
  /** How many settlements the balance must pay for. */
  readonly settlements: number;
}

export function createGasReserve({
  rpc,
  address,
  readMarket,
  maxFeePerGas,
  settlements,
}: GasReserveOptions): GasReserve {
  let fault: ServiceError | undefined;
  const admit = () => {
    if (fault !== undefined) throw fault;
  };
  async function read(): Promise<GasBalance> {
    const [balanceWei, market] = await Promise.all([rpc.getBalance({ address }), readMarket()]);
    const fee = bounded(feesFor(market), maxFeePerGas).maxFeePerGas;
    return { address, balanceWei, neededWei: BigInt(settlements) * GAS_PER_SETTLEMENT * fee, settlements };
  }

  return {
    admit,
    read,
    async check() {
      const found = await read();
      fault = found.balanceWei < found.neededWei ? tooLow(found) : undefined;
      admit();
    },
  };
}

function tooLow({ address, balanceWei, neededWei, settlements }: GasBalance): ServiceError {
  return new ServiceError(
    'PAYMENT_UNAVAILABLE',
    `payments are not available: the signer ${address} has ${formatGwei(balanceWei)} gwei, and ${settlements} settlements cost up to ${formatGwei(neededWei)} gwei`,
  );
}
