import {
  ComposeSheetsAnswer,
  ComposeSheetsArguments,
  CreateSheetAnswer,
  CreateSheetArguments,
  ListSheetsAnswer,
  SheetAnswer,
} from '../../services/verification/contract/sheets.ts';
import type { Endpoint } from './endpoint.ts';
import { toAnswer } from './guarded-call.ts';
import * as examples from './sheet-examples.ts';

const SOLVER_TIMEOUT_MS = 25_000;
const TIMEOUT_MS = 10_000;

/** Rules that plans use again. */
export const sheets: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/api/v1/sheets',
    operationId: 'verified_list_sheets',
    summary: 'List sheets',
    description: 'The sheets of the tenant and those that come with the service, by name and version. Any role.',
    status: 200,
    answer: { schema: ListSheetsAnswer, example: examples.sheets },
    timeoutMs: TIMEOUT_MS,
    async call({ caller, clients, settings }) {
      const { answer } = await clients.verification.call((client) => client.listSheets, { caller }, settings);
      return { body: answer };
    },
  },
  {
    method: 'POST',
    path: '/api/v1/sheets',
    operationId: 'verified_create_sheet',
    summary: 'Keep a sheet',
    description:
      'Variables with their types, and constraints over them, under a name and a version, for good: the same sheet again is the same, another one of the same name and version is refused. Refused as well are one that means nothing, and one whose constraints cannot hold together. Names that begin with `tollhouse.` are those of sheets that come with the service. Role: agent.',
    idempotencyKey: 'optional',
    request: { schema: CreateSheetArguments, examples: [examples.createSheet.request] },
    status: 201,
    answer: { schema: CreateSheetAnswer, example: examples.createSheet.answer },
    timeoutMs: SOLVER_TIMEOUT_MS,
    async call({ caller, idempotencyKey, body, clients, settings }) {
      const request = { caller, idempotencyKey, arguments: body };
      return toAnswer(await clients.verification.call((client) => client.createSheet, request, settings));
    },
  },
  {
    method: 'GET',
    path: '/api/v1/sheets/{name}/{version}',
    operationId: 'verified_get_sheet',
    summary: 'Read a sheet',
    description: 'The sheet as it was sent, and the hash by which plans name it. Any role.',
    status: 200,
    answer: { schema: SheetAnswer, example: examples.sheet },
    timeoutMs: TIMEOUT_MS,
    async call({ caller, params, clients, settings }) {
      const request = { caller, name: params['name'] ?? '', version: params['version'] ?? '' };
      const { answer } = await clients.verification.call((client) => client.getSheet, request, settings);
      return { body: answer };
    },
  },
  {
    method: 'POST',
    path: '/api/v1/sheets/compose',
    operationId: 'verified_compose_sheets',
    summary: 'Take sheets together',
    description:
      'Whether they agree: a variable of one name is the same in all, so its types must be one, numbers within the bounds of all. Where they do: the sheet that they make together, least values that obey it, the bounds of each number, and the constraints that those before them entail. Where they do not: what cannot be together. All of it is exact, or the outcome is `indeterminate`. Kept only if asked to, and if consistent. Role: agent.',
    idempotencyKey: 'optional',
    request: { schema: ComposeSheetsArguments, examples: [examples.composeSheets.request] },
    status: 200,
    answer: { schema: ComposeSheetsAnswer, example: examples.composeSheets.answer },
    timeoutMs: SOLVER_TIMEOUT_MS,
    async call({ caller, idempotencyKey, body, clients, settings }) {
      const request = { caller, idempotencyKey, arguments: body };
      return toAnswer(await clients.verification.call((client) => client.composeSheets, request, settings));
    },
  },
];
