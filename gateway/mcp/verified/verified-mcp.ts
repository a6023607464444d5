import { TOOL_NAMES } from '../../../services/verification/contract/tools.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { ARGUMENTS_JSON } from '../../../workers/exact/strict-json.ts';
import { AppError } from '../../errors/app-error.ts';
import type { RateLimiter } from '../../http/rate-limit.ts';
import { readHeader } from '../../http/read-header.ts';
import { authenticate, NOBODY } from '../../verified/caller.ts';
import { describeMcp } from '../describe-mcp.ts';
import type { McpEndpoint } from '../register-mcp.ts';
import { catalogueTools } from './catalogue-tools.ts';
import { decisionTools } from './decision-tools.ts';
import { INSTRUCTIONS } from './plan-guide.ts';
import { planTools, statusTool } from './plan-tools.ts';
import { runTools } from './run-tools.ts';
import { sheetTools } from './sheet-tools.ts';
import { userTools } from './user-tools.ts';
import { toTool, type VerifiedContext, type VerifiedToolDeps } from './verified-tool.ts';

const toolByName = new Map(
  [statusTool, ...planTools, ...runTools, ...decisionTools, ...catalogueTools, ...sheetTools, ...userTools].map(
    (tool) => [tool.name, tool] as const,
  ),
);

/** In the order of the list. */
export const verifiedTools = TOOL_NAMES.map((name) => defined(toolByName.get(name)));

const openTools = new Set<string>(verifiedTools.filter(({ endpoint }) => endpoint.isPublic).map(({ name }) => name));

/** The tools of verified execution. Anyone may list them; using them needs an API key. */
export function createVerifiedMcp(
  deps: VerifiedToolDeps & { readonly limiter: RateLimiter },
): McpEndpoint<VerifiedContext> {
  return {
    path: '/api/v1/mcp',
    name: 'tollhouse-verified-execution',
    title: 'Tollhouse: verified execution',
    version: '1.0.0',
    instructions: INSTRUCTIONS,
    tools: verifiedTools.map((tool) => toTool(tool, deps)),
    rules: ARGUMENTS_JSON,
    schema: describeMcp({
      operationId: 'verified_mcp',
      tag: 'verified execution',
      summary: 'The same operations as tools of the Model Context Protocol',
      security: [{}, { apiKey: [] }],
    }),
    async admit(request, tool) {
      const isOpen = tool === undefined || openTools.has(tool.name);
      const isSigned = readHeader(request, 'authorization') !== undefined;
      // An invalid key is refused even if none is needed, so that its holder learns of it at once.
      if (isSigned || !isOpen) {
        const caller = await authenticate(request, deps.clients.verification, deps.limiter).catch((error: unknown) => {
          // While the store is unavailable no key can be checked. A call that needs no key goes on.
          if (isOpen && error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE') return undefined;
          throw error;
        });
        if (caller !== undefined) return { caller, requestId: request.id };
      }
      await deps.limiter.count(request);
      return { caller: NOBODY, requestId: request.id };
    },
  };
}
