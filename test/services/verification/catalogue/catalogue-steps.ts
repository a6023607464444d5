import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { createJsonReader } from '../../../../scripts/launch/parse/json-reader.ts';
import {
  CreateTableAnswer,
  ListToolsAnswer,
  ToolAnswer,
} from '../../../../services/verification/contract/catalogue.ts';
import { HANG_MS } from '../../../kit/until.ts';
import type { Channel } from '../verification-process.ts';

const SETTINGS = { timeoutMs: HANG_MS };
const readTool = createJsonReader(ToolAnswer, 'the tool');
const readTools = createJsonReader(ListToolsAnswer, 'the list of tools');
const readTable = createJsonReader(CreateTableAnswer, 'the table');

/** Operations on the catalogue and on tables, as functions. */
export const createCatalogueSteps = (service: Channel) => ({
  describe: async (caller: Caller, tool: object, idempotencyKey: string = randomUUID()) => {
    const request = { caller, idempotencyKey, arguments: JSON.stringify({ tool }) };
    return readTool((await service.ask('createTool', request, SETTINGS)).answer);
  },

  list: async (caller: Caller) => {
    const { answer } = await service.ask('listTools', { caller }, SETTINGS);
    return readTools(answer).tools;
  },

  get: async (caller: Caller, name: string, version: string) => {
    const request = { caller, params: { name, version } };
    return readTool((await service.ask('getTool', request, SETTINGS)).answer);
  },

  upload: async (caller: Caller, text: string | Buffer) => {
    const request = { caller, content: Buffer.from(text) };
    return readTable((await service.ask('createTable', request, SETTINGS)).answer);
  },

  download: async (caller: Caller, sha256: string) => {
    const { content } = await service.ask('getTable', { caller, params: { sha256 } }, SETTINGS);
    return content.toString('utf8');
  },
});
