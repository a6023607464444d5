import type { Hex } from 'viem';
import { formatGwei } from 'viem';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import type { Rpc } from '../chain/rpc.ts';
import { bounded, feesFor, type Market } from './fees.ts';

/** Makes sure that the signer can pay for the settlement of what is executed. */
export interface GasReserve {
  /** Reads the balance. @throws {ServiceError} PAYMENT_UNAVAILABLE when it is too low; another error for a silent node */
  check(): Promise<void>;
  /** @throws {ServiceError} PAYMENT_UNAVAILABLE when the balance was too low at the last check */
  admit(): void;
}

/** A transferWithAuthorization of USDC takes 60,000 to 90,000, and its gas limit is higher by a third. */
const GAS_PER_SETTLEMENT = 120_000n;

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
  return {
    admit,
    async check() {
      const [balance, market] = await Promise.all([rpc.getBalance({ address }), readMarket()]);
      const fee = bounded(feesFor(market), maxFeePerGas).maxFeePerGas;
      const needed = BigInt(settlements) * GAS_PER_SETTLEMENT * fee;
      fault = balance < needed ? tooLow({ address, balance, needed, settlements }) : undefined;
      admit();
    },
  };
}

function tooLow(found: { address: Hex; balance: bigint; needed: bigint; settlements: number }): ServiceError {
  const { address, balance, needed, settlements } = found;
  return new ServiceError(
    'PAYMENT_UNAVAILABLE',
    `payments are not available: the signer ${address} has ${formatGwei(balance)} gwei, and ${settlements} settlements cost up to ${formatGwei(needed)} gwei`,
  );
}
