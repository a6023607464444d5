import { Type } from 'typebox';
import { CreateTableAnswer, TABLE_TYPE, TableText } from '../../services/verification/contract/catalogue.ts';
import { MAX_TABLE_BYTES } from '../../workers/exact/plan-schema.ts';
import * as examples from './catalogue-examples.ts';
import { defineEndpoint, READ_TIMEOUT_MS, SOLVER_TIMEOUT_MS, writeEndpoint } from './define-endpoint.ts';

export const createTable = writeEndpoint({
  path: '/api/v1/tables',
  operationId: 'verified_create_table',
  summary: 'Upload a table',
  description:
    'Stores constant data for plans, such as approved invoices: JSON lines, one row a line. Plans name the table by the SHA-256 of its bytes, so it never changes. Uploading the same table again has no effect. A tenant has at most 1,000 tables and 256 MiB. Role: agent or approver.',
  idempotencyKey: 'optional',
  request: { schema: TableText, examples: [examples.createTable.request], type: TABLE_TYPE, maxBytes: MAX_TABLE_BYTES },
  status: 201,
  answer: { schema: CreateTableAnswer, example: examples.createTable.answer },
  timeoutMs: SOLVER_TIMEOUT_MS,
  operation: 'createTable',
});

export const getTable = defineEndpoint({
  method: 'GET',
  path: '/api/v1/tables/{sha256}',
  operationId: 'verified_get_table',
  summary: 'Read a table',
  description: 'The bytes of a table as they were uploaded. Any role.',
  status: 200,
  answer: { schema: Type.String(), example: examples.TABLE, type: TABLE_TYPE },
  timeoutMs: READ_TIMEOUT_MS,
  call: async ({ ask, params }) => ({ serialized: (await ask('getTable', { params })).content }),
});

export const tables = [createTable, getTable];
