import type { GasBalance as GasBalanceMessage } from '../../../proto/gen/tollhouse/payments/v1/operator.ts';
import type { GasBalance } from '../signer/gas-reserve.ts';

export const formatGas = ({ balanceWei, neededWei, shared, ...others }: GasBalance): GasBalanceMessage => ({
  ...others,
  balanceWei: `${balanceWei}`,
  neededWei: `${neededWei}`,
  shared: [...shared],
});
