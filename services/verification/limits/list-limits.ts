import { defined } from '../../../workers/exact/defined.ts';
import type { ToolDocument } from '../../../workers/exact/tool-schema.ts';
import type { ListedLimit } from '../contract/catalogue.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { readUnits, writeUnits } from './amounts.ts';
import { counterOf, keyOf } from './charges.ts';
import { readUse } from './limit-use.ts';
import { readReserved } from './reservations.ts';

/**
 * The limits of tools as they are now, for each tool. What is left of a limit for each value of an argument depends on
 * the value, so only its window is told.
 */
export async function listLimits(
  transaction: TenantTransaction,
  tools: readonly ToolDocument[],
): Promise<readonly (readonly ListedLimit[])[]> {
  const counters = tools.flatMap(({ name, limits }) => limits.map((limit) => counterOf(name, limit, '')));
  const distinct = [...new Map(counters.map((counter) => [keyOf(counter), counter])).values()];
  const uses = await readUse(transaction, distinct);
  const reserved = await readReserved(transaction, distinct.map(keyOf));
  return tools.map(({ name, limits }) =>
    limits.map((limit) => {
      const key = keyOf(counterOf(name, limit, ''));
      const { used, endsAt } = defined(uses.get(key));
      const { most, per } = limit;
      const left = defined(readUnits(most)) - used - (reserved.get(key) ?? 0n);
      return {
        ...limit,
        used: per === null ? writeUnits(used, most) : null,
        left: per === null ? writeUnits(left < 0n ? 0n : left, most) : null,
        window_ends_at: endsAt,
      };
    }),
  );
}
