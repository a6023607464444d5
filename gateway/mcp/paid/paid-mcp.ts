import { I_JSON } from '../../../workers/exact/strict-json.ts';
import type { RateLimiter } from '../../http/rate-limit.ts';
import type { Operation } from '../../operations/operation/operation.ts';
import { describeMcp } from '../describe-mcp.ts';
import type { McpEndpoint } from '../register-mcp.ts';
import { PAYMENT_EXTENSION, type PaidContext, type PaidToolDeps, toPaidTool } from './paid-tool.ts';

export interface PaidMcpDeps extends PaidToolDeps {
  readonly operations: readonly Operation[];
  readonly limiter: RateLimiter;
}

const INSTRUCTIONS =
  'Each tool is one operation at a fixed price, paid by the call with x402 (USDC): no account, no key. Call it; where the answer holds "accepts", sign one of these and send the same call with the payment in _meta["x402/payment"]. One payment is executed and settled once: sent again with the same arguments, it is answered again.';

/** Every operation that is sold, as a tool; arguments are read as bodies are. */
export function createPaidMcp({ operations, limiter, ...deps }: PaidMcpDeps): McpEndpoint<PaidContext> {
  return {
    path: '/mcp',
    name: 'tollhouse-operations',
    title: 'Tollhouse: operations, paid by the call',
    version: '1.0.0',
    instructions: INSTRUCTIONS,
    tools: operations.map((operation) => toPaidTool(operation, deps)),
    extensions: { [PAYMENT_EXTENSION]: {} },
    rules: I_JSON,
    schema: describeMcp({
      operationId: 'paid_mcp',
      tag: 'tools',
      summary: 'Operations as tools of the Model Context Protocol, paid by the call with x402',
      security: [],
    }),
    async admit(request, tool) {
      const countUnpaid = () => limiter.count(request);
      if (tool === undefined) await countUnpaid();
      return { host: request.headers.host, requestId: request.id, countUnpaid };
    },
  };
}
