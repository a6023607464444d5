import type {
  Estimate,
  GasBalance as GasBalanceMessage,
  Transfer,
} from '../../../proto/gen/tollhouse/payments/v1/operator.ts';
import type { GasBalance } from './gas-reserve.ts';
import type { Estimated } from './transaction-sender.ts';

export const formatGas = ({ balanceWei, neededWei, shared, ...others }: GasBalance): GasBalanceMessage => ({
  ...others,
  balanceWei: `${balanceWei}`,
  neededWei: `${neededWei}`,
  shared: [...shared],
});

export const formatEstimate = (transfers: readonly Transfer[], { gas, maxCostWei }: Estimated): Estimate => ({
  transfers: [...transfers],
  gas,
  maxCostWei: `${maxCostWei}`,
});
