import { ServiceError } from '../../platform/grpc/service-error.ts';
import type { OperationDeps } from '../context/operation.ts';
import { canonicalBytes } from '../proof/canonical-json.ts';
import { publishIssuerKey, publishLogKey } from '../proof/keys.ts';
import { namedLog } from './log-names.ts';
import { readCheckpoint, readConsistency } from './log-store.ts';

type Deps = Pick<OperationDeps, 'database' | 'issuer' | 'log'>;

/** The key file for `verify-proof`, with every name that the log has had. */
export async function getLogKeys({ database, issuer, log }: Deps): Promise<{ readonly file: Buffer }> {
  const later = await database
    .selectFrom('verification.log_epoch')
    .select('suffix')
    .where('suffix', 'is not', null)
    .orderBy('epoch')
    .execute();
  const logs = [null, ...later.map(({ suffix }) => suffix)].map((suffix) => publishLogKey(namedLog(log, suffix)));
  return { file: canonicalBytes({ keys: [publishIssuerKey(issuer), ...logs] }) };
}

export async function getLogCheckpoint({ database, log }: Deps): Promise<{ readonly checkpoint: string }> {
  const checkpoint = await database
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((transaction) => readCheckpoint(transaction, log));
  return { checkpoint };
}

/** @throws {ServiceError} INVALID_ARGUMENT for sizes beyond the log, or in the wrong order */
export async function getLogConsistency(
  { database }: Deps,
  { firstSize, secondSize }: { readonly firstSize: bigint; readonly secondSize: bigint },
): Promise<{ readonly hashes: Buffer[] }> {
  const [first, second] = [Number(firstSize), Number(secondSize)];
  const hashes =
    Number.isSafeInteger(first) && Number.isSafeInteger(second)
      ? await database.transaction().execute((transaction) => readConsistency(transaction, first, second))
      : undefined;
  if (hashes === undefined) {
    throw new ServiceError('INVALID_ARGUMENT', 'first must not be above second, nor second above the size of the log');
  }
  return { hashes: hashes.map((hash) => Buffer.from(hash)) };
}
