import { formatEther } from 'viem';
import {
  EARNING_KEYS,
  type EarningKey,
  type EarningSums,
  groupEarnings,
  netMicroUsd,
  readEarnings,
} from '../../../../services/store/earnings.ts';
import { type Command, CommandError } from '../../terminal/command.ts';
import { toJson } from '../../terminal/options.ts';
import { sayTable } from '../../terminal/table.ts';
import { withDatabase } from '../stores/operator-database.ts';
import { toUsdc } from './payments-fields.ts';

const COLUMNS = ['calls', 'sold', 'settled', 'claimable', 'refunded', 'net', 'gas_eth', 'unknown_gas'];

/** `earnings`. Prints what calls earned that were paid for, in USDC, and what gas cost, in ETH. */
export const earnings: Command = async (terminal, { by: names = 'network,scheme', csv, json }) => {
  const asked = names.split(',');
  const keys = EARNING_KEYS.filter((key) => asked.includes(key));
  if (keys.length !== asked.length) throw new CommandError(`--by has fields of ${EARNING_KEYS.join(',')}`, 2);
  const found = await withDatabase(terminal, readEarnings);
  const groups = groupEarnings(found, keys);
  if (json) {
    const fields = groups.map(({ of, ...sums }) => ({ ...named(keys, of), ...sums, netMicroUsd: netMicroUsd(sums) }));
    return terminal.say(toJson(fields));
  }
  const headings = [...keys, ...COLUMNS];
  const rows = groups.map(({ of, ...sums }) => [...of, ...cellsOf(sums)]);
  if (csv) {
    for (const row of [headings, ...rows]) terminal.say(row.join(','));
    return;
  }
  const [total] = groupEarnings(found, []);
  if (total === undefined) return terminal.say('nothing was earned yet');
  const last = [...keys.map((_, at) => (at === 0 ? 'total' : '')), ...cellsOf(total)];
  sayTable(terminal, headings, [...rows, last], keys.length);
};

const named = (keys: readonly EarningKey[], of: readonly string[]) =>
  Object.fromEntries(keys.map((key, at) => [key, of[at]]));

/** In the order of `COLUMNS`. Amounts in USDC and ETH. */
function cellsOf(sums: EarningSums): readonly string[] {
  const { calls, soldMicroUsd, settledMicroUsd, claimableMicroUsd, refundedMicroUsd, gasWei, unknownGas } = sums;
  const usdc = [soldMicroUsd, settledMicroUsd, claimableMicroUsd, refundedMicroUsd, netMicroUsd(sums)];
  return [`${calls}`, ...usdc.map(toUsdc), formatEther(gasWei), `${unknownGas}`];
}
