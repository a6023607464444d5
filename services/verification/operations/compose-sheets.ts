import { canonicalText } from '../../../workers/exact/canonical-json.ts';
import { ComposeSheetsArguments, type SheetRef } from '../contract/sheets.ts';
import { digestRecord } from '../proof/digests.ts';
import { findSheet, keepSheet, MAX_SHEET_BYTES } from '../sheets/sheet-records.ts';
import { createArgumentsReader, malformed } from '../tenants/requests.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { assertOwnName } from './create-sheet.ts';
import { type Call, defineWrite } from './define.ts';
import type { OperationDeps } from './operation.ts';

const readArguments = createArgumentsReader(ComposeSheetsArguments);

/** Name of the composed sheet if the caller gives none. */
const UNNAMED = { name: 'composed', version: '1.0.0' };
const MAX_TITLE = 200;

/**
 * Composes sheets: whether they are consistent, what each adds, and the sheet that they make together, which is stored
 * on request. Otherwise nothing is written, unless the caller sends an idempotency key.
 * @throws {ServiceError} ROLE_NOT_ALLOWED, INVALID_JSON, MALFORMED_INPUT, SHEET_EXISTS, TOO_MANY_SHEETS
 */
export const composeSheets = defineWrite({
  operation: 'compose_sheets',
  role: 'agent',
  idempotencyKey: 'optional',
  readInput(request) {
    const input = readArguments(request);
    assertDistinct(input.sheets);
    if (input.save_as !== null) assertOwnName(input.save_as.name, '/save_as/name');
    return input;
  },
  async prepare(call, deps) {
    const { answer, document } = await compose(call, deps);
    const { sheet } = answer;
    if (call.input.save_as === null || sheet === null) return { answer: { ...answer, saved: false } };
    return {
      apply: async (transaction) => {
        await keepSheet(transaction, { sheet, document, caller: call.caller });
        return { ...answer, saved: true };
      },
    };
  },
});

async function compose({ input, options, inTenant }: Call<ComposeSheetsArguments>, { solver }: OperationDeps) {
  const sheets = await inTenant((transaction) => findAll(transaction, input.sheets));
  const refs = input.sheets.map(({ name, version }) => `${name}@${version}`);
  const as = { title: refs.join(' + ').slice(0, MAX_TITLE), ...UNNAMED, ...input.save_as };
  const { fault, engineFault: _, ...answer } = await solver.composeSheets({ sheets, as }, options);
  if (fault !== undefined) throw malformed(fault.path, fault.message);
  const document = canonicalText(answer.sheet);
  if (Buffer.byteLength(document) > MAX_SHEET_BYTES) {
    throw malformed('/sheets', `together are larger than ${MAX_SHEET_BYTES} bytes`);
  }
  return { answer: { ...answer, sha256: answer.sheet && digestRecord('sheet', answer.sheet) }, document };
}

function assertDistinct(sheets: readonly SheetRef[]): void {
  for (const [index, { name, version }] of sheets.entries()) {
    if (!sheets.slice(0, index).some((other) => other.name === name && other.version === version)) continue;
    throw malformed(`/sheets/${index}`, `${name}@${version} is there twice`);
  }
}

/** @throws {ServiceError} MALFORMED_INPUT */
async function findAll(transaction: TenantTransaction, refs: readonly SheetRef[]): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const [index, ref] of refs.entries()) {
    const sheet = await findSheet(transaction, ref);
    const path = `/sheets/${index}`;
    if (sheet === undefined) throw malformed(path, `there is no sheet ${ref.name}@${ref.version}`);
    if (sheet.sha256 !== ref.sha256) throw malformed(`${path}/sha256`, `the sheet's hash is ${sheet.sha256}`);
    texts.push(sheet.document);
  }
  return texts;
}
