import { formatEther, formatUnits } from 'viem';
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
import { withDatabase } from '../stores/operator-database.ts';

const USDC_DIGITS = 6;
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
  const rows = [[...keys, ...COLUMNS], ...groups.map(({ of, ...sums }) => [...of, ...cellsOf(sums)])];
  if (csv) {
    for (const row of rows) terminal.say(row.join(','));
    return;
  }
  const [total] = groupEarnings(found, []);
  if (total === undefined) return terminal.say('nothing was earned yet');
  const table = [...rows, [...keys.map((_, at) => (at === 0 ? 'total' : '')), ...cellsOf(total)]];
  const widths = table[0]?.map((_, at) => Math.max(...table.map((row) => row[at]?.length ?? 0))) ?? [];
  const toLine = (row: readonly string[]) =>
    row
      .map((cell, at) => (at < keys.length ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ');
  for (const row of table) terminal.say(toLine(row));
};

const named = (keys: readonly EarningKey[], of: readonly string[]) =>
  Object.fromEntries(keys.map((key, at) => [key, of[at]]));

function toUsdc(microUsd: bigint): string {
  const [whole, part = ''] = formatUnits(microUsd, USDC_DIGITS).split('.');
  return `${whole}.${part.padEnd(USDC_DIGITS, '0')}`;
}

/** In the order of `COLUMNS`. Amounts in USDC and ETH. */
function cellsOf(sums: EarningSums): readonly string[] {
  const { calls, soldMicroUsd, settledMicroUsd, claimableMicroUsd, refundedMicroUsd, gasWei, unknownGas } = sums;
  const usdc = [soldMicroUsd, settledMicroUsd, claimableMicroUsd, refundedMicroUsd, netMicroUsd(sums)];
  return [`${calls}`, ...usdc.map(toUsdc), formatEther(gasWei), `${unknownGas}`];
}
