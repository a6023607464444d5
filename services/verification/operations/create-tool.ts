import { keepTool } from '../catalogue/keep-tool.ts';
import { readTool } from '../catalogue/tool-document.ts';
import { CreateToolArguments } from '../contract/catalogue.ts';
import { createArgumentsReader, malformed } from '../tenants/requests.ts';
import { defineWrite } from './define.ts';
import { toToolAnswer } from './read-tools.ts';

const readArguments = createArgumentsReader(CreateToolArguments);

/**
 * Stores a description of a tool for the tenant, permanently. Storing the same description again changes nothing.
 * @throws {ServiceError} ROLE_NOT_ALLOWED, INVALID_JSON, MALFORMED_INPUT, TOOL_EXISTS, TOO_MANY_TOOLS,
 *   TOOL_NAME_CONFUSABLE, EFFECT_UNDERSTATED, IDENTITY_MISPLACED
 */
export const createTool = defineWrite({
  operation: 'create_tool',
  role: 'approver',
  idempotencyKey: 'optional',
  readInput: readArguments,
  async prepare({ caller, input, options }, { solver, toolList }) {
    const text = readTool(input.tool, '/tool');
    const { fault } = await solver.checkTool({ tool: text.document }, options);
    if (fault !== undefined) throw malformed(`/tool${fault.path}`, `${fault.message} (${fault.code})`);
    const owner = { tenantId: caller.tenantId, keyId: caller.keyId };
    return {
      apply: async (transaction) => {
        const kept = await keepTool(transaction, text, { owner, list: toolList, path: '/tool' });
        return toToolAnswer(transaction, kept);
      },
    };
  },
});
