import {
  ComposeSheetsAnswer,
  ComposeSheetsArguments,
  CreateSheetAnswer,
  CreateSheetArguments,
  ListSheetsAnswer,
  SheetAnswer,
} from '../../services/verification/contract/sheets.ts';
import { readEndpoint, SOLVER_TIMEOUT_MS, writeEndpoint } from './define-endpoint.ts';
import * as examples from './sheet-examples.ts';

export const listSheets = readEndpoint({
  path: '/api/v1/sheets',
  operationId: 'verified_list_sheets',
  summary: 'List sheets',
  description: 'The sheets of the tenant and those that come with the service, by name and version. Any role.',
  answer: { schema: ListSheetsAnswer, example: examples.sheets },
  operation: 'listSheets',
});

const createSheet = writeEndpoint({
  path: '/api/v1/sheets',
  operationId: 'verified_create_sheet',
  summary: 'Store a sheet',
  description:
    'Stores typed variables and constraints over them under a name and a version, permanently. Storing the same sheet again has no effect; another sheet under the same name and version is refused. A sheet that cannot be read, or whose constraints contradict each other, is refused. Names that begin with `tollhouse.` are reserved for sheets that come with the service. Role: agent.',
  idempotencyKey: 'optional',
  request: { schema: CreateSheetArguments, examples: [examples.createSheet.request] },
  status: 201,
  answer: { schema: CreateSheetAnswer, example: examples.createSheet.answer },
  timeoutMs: SOLVER_TIMEOUT_MS,
  operation: 'createSheet',
});

export const getSheet = readEndpoint({
  path: '/api/v1/sheets/{name}/{version}',
  operationId: 'verified_get_sheet',
  summary: 'Read a sheet',
  description: 'The sheet as it was sent, and the hash by which plans refer to it. Any role.',
  answer: { schema: SheetAnswer, example: examples.sheet },
  operation: 'getSheet',
});

export const composeSheets = writeEndpoint({
  path: '/api/v1/sheets/compose',
  operationId: 'verified_compose_sheets',
  summary: 'Compose sheets',
  description:
    'Whether sheets agree. Variables of one name are one variable: their types must be equal, and numbers must obey the bounds of all sheets. If the sheets agree: the composed sheet, the least values that satisfy it, and the constraints that earlier ones entail. If not: what contradicts what. Everything is exact, or the outcome is `indeterminate`. The composed sheet is stored only if `save_as` names it and it is consistent. Role: agent.',
  idempotencyKey: 'optional',
  request: { schema: ComposeSheetsArguments, examples: [examples.composeSheets.request] },
  status: 200,
  answer: { schema: ComposeSheetsAnswer, example: examples.composeSheets.answer },
  timeoutMs: SOLVER_TIMEOUT_MS,
  operation: 'composeSheets',
});

export const sheets = [listSheets, createSheet, getSheet, composeSheets];
