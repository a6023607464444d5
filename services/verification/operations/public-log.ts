import type { OperationRequest } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { canonicalText } from '../../../workers/exact/canonical-json.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { publishIssuerKey, publishLogKey } from '../proof/keys.ts';
import { namedLog } from '../proof/log-names.ts';
import { readCheckpoint, readConsistency } from '../proof/log-store.ts';
import type { OperationDeps } from './operation.ts';

type Deps = Pick<OperationDeps, 'database' | 'issuer' | 'log'>;

/** The key file for `verify-proof`, with every name that the log has had. */
export async function getLogKeys({ database, issuer, log }: Deps): Promise<string> {
  const later = await database
    .selectFrom('verification.log_epoch')
    .select('suffix')
    .where('suffix', 'is not', null)
    .orderBy('epoch')
    .execute();
  const logs = [null, ...later.map(({ suffix }) => suffix)].map((suffix) => publishLogKey(namedLog(log, suffix)));
  return canonicalText({ keys: [publishIssuerKey(issuer), ...logs] });
}

export function getLogCheckpoint({ database, log }: Pick<Deps, 'database' | 'log'>): Promise<string> {
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((transaction) => readCheckpoint(transaction, log));
}

const SIZE = /^(?:0|[1-9][0-9]{0,15})$/;

/** @throws {ServiceError} INVALID_ARGUMENT for sizes beyond the log, or in the wrong order */
export async function getLogConsistency(
  { database }: Pick<OperationDeps, 'database'>,
  { params }: Pick<OperationRequest, 'params'>,
): Promise<string> {
  const [first, second] = [readSize(params, 'first'), readSize(params, 'second')];
  const hashes =
    Number.isSafeInteger(first) && Number.isSafeInteger(second)
      ? await database.transaction().execute((transaction) => readConsistency(transaction, first, second))
      : undefined;
  if (hashes === undefined) {
    throw new ServiceError('INVALID_ARGUMENT', 'first must not be above second, nor second above the size of the log');
  }
  return canonicalText({ hashes: hashes.map((hash) => Buffer.from(hash).toString('base64')) });
}

function readSize(params: OperationRequest['params'], name: 'first' | 'second'): number {
  const text = params[name];
  if (text === undefined || !SIZE.test(text)) {
    throw new ServiceError('INVALID_ARGUMENT', `${name} must be a number of leaves`);
  }
  return Number(text);
}
