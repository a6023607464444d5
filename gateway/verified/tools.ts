import { ListToolsAnswer, ToolAnswer } from '../../services/verification/contract/catalogue.ts';
import { DescribedTool } from '../../services/verification/contract/proposed-plan.ts';
import * as examples from './catalogue-examples.ts';
import { READ_TIMEOUT_MS, readEndpoint, writeEndpoint } from './define-endpoint.ts';

export const listTools = readEndpoint({
  path: '/api/v1/tools',
  operationId: 'verified_list_tools',
  summary: 'List descriptions of tools',
  description:
    'The catalogue: descriptions of the tenant and of the operator, by name and version, with what is left of their limits in the window of now. Any role.',
  answer: { schema: ListToolsAnswer, example: examples.tools },
  operation: 'listTools',
});

export const createTool = writeEndpoint({
  path: '/api/v1/tools',
  operationId: 'verified_create_tool',
  summary: 'Describe a tool',
  description:
    'Stores a description of a tool under its name and version, permanently: what it takes and returns, its effect, where its response has the identity of an act, and its limits. Plans of format 2 name it by its hash. Storing the same description again has no effect; another one under the same name and version is refused, and so is a tool that the operator describes, or a name that can be mistaken for a listed one. Role: approver.',
  idempotencyKey: 'optional',
  request: { schema: DescribedTool, examples: [examples.createTool.request] },
  status: 201,
  answer: { schema: ToolAnswer, example: examples.createTool.answer },
  timeoutMs: READ_TIMEOUT_MS,
  operation: 'createTool',
});

export const getTool = readEndpoint({
  path: '/api/v1/tools/{name}/{version}',
  operationId: 'verified_get_tool',
  summary: 'Read a description of a tool',
  description:
    'The description as it was sent, the hash by which plans name it, and what is left of its limits. Any role.',
  answer: { schema: ToolAnswer, example: examples.tool },
  operation: 'getTool',
});

export const tools = [listTools, createTool, getTool];
