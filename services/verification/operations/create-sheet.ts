import { canonicalText } from '../../../workers/exact/canonical-json.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { CreateSheetArguments } from '../contract/sheets.ts';
import { readSheetDocument } from '../records/stored-documents.ts';
import { keepSheet, MAX_SHEET_BYTES } from '../sheets/sheet-records.ts';
import { isReserved } from '../sheets/shipped-sheets.ts';
import { createArgumentsReader, malformed } from '../tenants/requests.ts';
import { defineWrite } from './define.ts';
import { toListed } from './read-sheets.ts';

const DOT_SEGMENT = /^\.{1,2}$/;

const readArguments = createArgumentsReader(CreateSheetArguments);

/**
 * Stores a sheet permanently if it is well-formed and its constraints can hold together. Storing the same sheet again
 * changes nothing.
 * @throws {ServiceError} ROLE_NOT_ALLOWED, INVALID_JSON, MALFORMED_INPUT, SHEET_VACUOUS, SHEET_EXISTS, TOO_MANY_SHEETS
 */
export const createSheet = defineWrite({
  operation: 'create_sheet',
  role: 'agent',
  idempotencyKey: 'optional',
  readInput: readArguments,
  async prepare({ caller, input, options }, { solver }) {
    const document = canonicalText(input.sheet);
    if (Buffer.byteLength(document) > MAX_SHEET_BYTES) {
      throw malformed('/sheet', `larger than ${MAX_SHEET_BYTES} bytes`);
    }
    const { fault, judgement, lint } = await solver.checkSheet({ sheet: document }, options);
    if (fault !== undefined) throw malformed(`/sheet${fault.path}`, `${fault.message} (${fault.code})`);
    const sheet = readSheetDocument(document);
    assertOwnName(sheet.name, '/sheet/name');
    if (judgement.verdict === 'vacuous') {
      const core = judgement.core.join(', ');
      throw new ServiceError('SHEET_VACUOUS', `no values obey the sheet: ${core} cannot hold together with the types`);
    }
    return {
      apply: async (transaction) => {
        const kept = await keepSheet(transaction, { sheet, document, caller });
        return { ...toListed(kept), created_at: kept.createdAt, lint };
      },
    };
  },
});

/** @throws {ServiceError} MALFORMED_INPUT */
export function assertOwnName(name: string, pointer: string): void {
  if (isReserved(name)) {
    const message = 'names that begin with tollhouse., in any case, are for sheets that come with the service';
    throw malformed(pointer, `${message}: choose another`);
  }
  // Clients and proxies remove dot segments from a path (RFC 3986, section 5.2.4).
  if (DOT_SEGMENT.test(name)) throw malformed(pointer, 'a name of dots alone cannot be read by its path');
}
