import { createVoucherCipher } from '../../ledger/store/voucher-cipher.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import type { NamedKeys } from '../../platform/process/named-keys.ts';
import type { Database } from '../../store/database.ts';
import { recordAct } from '../../store/operator-acts.ts';
import { createBodyCipher } from './body-cipher.ts';
import { awaitMovedBodies, listDayPartitions } from './partitions.ts';
import { createRekeyOfPlace, type Place } from './rekey-place.ts';
import { createRekeyOfVouchers } from './rekey-vouchers.ts';
import { isRecordedKey } from './retention-keys.ts';
import { countHeldKeys, countKeys, countVoucherKeys, type KeyUse } from './retention-status.ts';
import type { Reviewer } from './review.ts';

export interface RekeyResult {
  /** Id of the key that encrypts now. */
  readonly keyId: string;
  /** Calls whose bodies this run encrypted again. */
  readonly rekeyed: number;
  /** Channels whose voucher this run encrypted again. */
  readonly rekeyedVouchers: number;
  /** Records, and channels, that do not decrypt with the key of their id. */
  readonly unreadable: readonly string[];
  /** Other keys that rows still use. Calls in progress of channels use the key with which they began. */
  readonly left: readonly KeyUse[];
  /** Configured keys that no row uses any more. */
  readonly unused: readonly string[];
}

export interface Rekeyed {
  readonly database: Database;
  readonly keys: NamedKeys;
  /** Hears how many more rows are done. */
  readonly onRekeyed?: (rows: number) => void;
}

/**
 * Encrypts all bodies and vouchers with the first key. It may be stopped and repeated, and run while calls are retained and days are
 * deleted. Its start and its end are recorded in the audit trail.
 * @throws {ServiceError} RETENTION_KEY_MISSING if no back office has the first key, which then could not read the bodies
 */
export async function rekeyBodies(
  { database, keys, onRekeyed = () => {} }: Rekeyed,
  by: Pick<Reviewer, 'operator' | 'reason'>,
): Promise<RekeyResult> {
  const [current, ...others] = keys;
  if (!(await isRecordedKey(database, current))) {
    const known = `no back office has started with this key under the id ${current.id}`;
    throw new ServiceError('RETENTION_KEY_MISSING', `${known}: restart the back office with RETENTION_KEYS first`);
  }
  const act = { ...by, action: 'retention.rekey', subject: current.id };
  const record = (detail: Readonly<Record<string, string | number>>) =>
    database.transaction().execute((transaction) => recordAct(transaction, { ...act, detail }));
  await record({ state: 'started' });

  const otherIds = others.map(({ id }) => id);
  const { rekeyPlace, unreadable } = createRekeyOfPlace({ database, cipher: createBodyCipher(keys), from: otherIds });
  const vouchers = createRekeyOfVouchers({
    database,
    cipher: createVoucherCipher(keys),
    keyId: current.id,
    from: otherIds,
  });
  let rekeyed = 0;
  let rekeyedVouchers = 0;
  for (;;) {
    let changed = 0;
    for (const place of await listPlaces(database)) {
      const rows = await rekeyPlace(place);
      onRekeyed(rows);
      changed += rows;
    }
    rekeyed += changed;
    const changedVouchers = await vouchers.rekey();
    onRekeyed(changedVouchers);
    rekeyedVouchers += changedVouchers;
    // A body may have been held, as it was before, while this pass encrypted it in the partition.
    await awaitMovedBodies(database);
    const left = (await countAllKeys(database)).filter(({ keyId }) => keyId !== current.id);
    const isWaiting = left.some(({ keyId }) => otherIds.includes(keyId)) && changed + changedVouchers > 0;
    if (isWaiting) continue;
    await record({ state: 'ended', rekeyed, rekeyedVouchers, left: left.reduce((sum, { rows }) => sum + rows, 0) });
    const unused = otherIds.filter((id) => !left.some(({ keyId }) => keyId === id));
    const failed = [...unreadable, ...vouchers.unreadable];
    return { keyId: current.id, rekeyed, rekeyedVouchers, unreadable: failed, left, unused };
  }
}

async function listPlaces(database: Database): Promise<readonly Place[]> {
  const partitions = await listDayPartitions(database);
  return [
    ...partitions.map(({ day }) => ({ table: 'retained_body' as const, day })),
    { table: 'retained_body_held' as const },
  ];
}

async function countAllKeys(database: Database): Promise<readonly KeyUse[]> {
  const rows = new Map<string, number>();
  const count = (uses: readonly KeyUse[]) => {
    for (const use of uses) rows.set(use.keyId, (rows.get(use.keyId) ?? 0) + use.rows);
  };
  for (const { day } of await listDayPartitions(database)) count(await countKeys(database, day));
  count(await countHeldKeys(database));
  count(await countVoucherKeys(database));
  return Array.from(rows, ([keyId, used]) => ({ keyId, rows: used })).toSorted((a, b) =>
    a.keyId.localeCompare(b.keyId),
  );
}
