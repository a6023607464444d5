import type { CallContext } from '../../platform/grpc/grpc-server.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { type GuardedAnswer, type OperationDeps, solverOptions, toText } from '../context/operation.ts';
import { ComposeSheetsArguments, type SheetRef } from '../contract/sheets.ts';
import { digestRecord } from '../proof/digests.ts';
import { assertRole, at, createArgumentsReader, readCaller } from '../requests/requests.ts';
import { findSheet, keepSheet, MAX_SHEET_BYTES } from '../sheets/sheet-records.ts';
import type { Caller } from '../tenants/keys.ts';
import { inTenant, type TenantTransaction } from '../tenants/transaction.ts';
import { assertOwnName } from './create-sheet.ts';
import { type GuardedRequest, guard, optionalKey } from './guarded.ts';

const readArguments = createArgumentsReader(ComposeSheetsArguments);

/** Name of the composed sheet if the caller gives none. */
const UNNAMED = { name: 'composed', version: '1.0.0' };
const MAX_TITLE = 200;

/**
 * Composes sheets: whether they are consistent, what each adds, and the sheet that they make together, which is stored
 * on request. Otherwise nothing is written, unless the caller sends an idempotency key.
 * @throws {ServiceError} ROLE_NOT_ALLOWED, INVALID_JSON, MALFORMED_INPUT, SHEET_EXISTS, TOO_MANY_SHEETS
 */
export async function composeSheets(
  deps: OperationDeps,
  request: GuardedRequest,
  context: CallContext,
): Promise<GuardedAnswer> {
  const caller = readCaller(request.caller);
  assertRole(caller, 'agent');
  const input = readArguments(request.arguments);
  assertDistinct(input.sheets);
  if (input.save_as !== null) assertOwnName(input.save_as.name, '/save_as/name');
  const compose = () => composeOf(deps, input, { caller, context });
  if (input.save_as === null && request.idempotencyKey === '') {
    return { answer: toText({ ...(await compose()).answer, saved: false }), replayed: false };
  }
  const idempotencyKey = optionalKey(request.idempotencyKey);
  return guard(deps, { caller, operation: 'compose_sheets', idempotencyKey, request: input }, async () => {
    const { answer, document } = await compose();
    const { sheet } = answer;
    if (input.save_as === null || sheet === null) return { apply: async () => ({ ...answer, saved: false }) };
    return {
      apply: async (transaction) => {
        await keepSheet(transaction, { sheet, document, caller });
        return { ...answer, saved: true };
      },
    };
  });
}

interface Asker {
  readonly caller: Caller;
  readonly context: CallContext;
}

async function composeOf(
  { database, solver }: OperationDeps,
  input: ComposeSheetsArguments,
  { caller, context }: Asker,
) {
  const sheets = await inTenant(database, caller.tenantId, (transaction) => findAll(transaction, input.sheets));
  const refs = input.sheets.map(({ name, version }) => `${name}@${version}`);
  const as = { title: refs.join(' + ').slice(0, MAX_TITLE), ...UNNAMED, ...input.save_as };
  const {
    fault,
    engineFault: _,
    ...answer
  } = await solver.composeSheets({ sheets, as }, solverOptions(caller, context));
  if (fault !== undefined) throw new ServiceError('MALFORMED_INPUT', at(fault.path, fault.message));
  const document = toText(answer.sheet);
  if (Buffer.byteLength(document) > MAX_SHEET_BYTES) {
    throw new ServiceError('MALFORMED_INPUT', at('/sheets', `together are larger than ${MAX_SHEET_BYTES} bytes`));
  }
  return { answer: { ...answer, sha256: answer.sheet && digestRecord('sheet', answer.sheet) }, document };
}

function assertDistinct(sheets: readonly SheetRef[]): void {
  for (const [index, { name, version }] of sheets.entries()) {
    if (!sheets.slice(0, index).some((other) => other.name === name && other.version === version)) continue;
    throw new ServiceError('MALFORMED_INPUT', at(`/sheets/${index}`, `${name}@${version} is there twice`));
  }
}

/** @throws {ServiceError} MALFORMED_INPUT */
async function findAll(transaction: TenantTransaction, refs: readonly SheetRef[]): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const [index, ref] of refs.entries()) {
    const sheet = await findSheet(transaction, ref);
    const path = `/sheets/${index}`;
    if (sheet === undefined) {
      throw new ServiceError('MALFORMED_INPUT', at(path, `there is no sheet ${ref.name}@${ref.version}`));
    }
    if (sheet.sha256 !== ref.sha256) {
      throw new ServiceError('MALFORMED_INPUT', at(`${path}/sha256`, `the sheet's hash is ${sheet.sha256}`));
    }
    texts.push(sheet.document);
  }
  return texts;
}
