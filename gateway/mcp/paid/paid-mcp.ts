import { I_JSON } from '../../../workers/exact/strict-json.ts';
import { addressOf, clientOf, networkOf } from '../../http/client-address.ts';
import type { RateLimiter } from '../../http/rate-limit.ts';
import type { Operation } from '../../operations/operation/operation.ts';
import { describeMcp } from '../describe-mcp.ts';
import type { McpEndpoint } from '../register-mcp.ts';
import { PAYMENT_EXTENSION, type PaidContext, type PaidToolDeps, toPaidTool } from './paid-tool.ts';

export interface PaidMcpDeps extends PaidToolDeps {
  readonly operations: readonly Operation[];
  readonly limiter: RateLimiter;
  /** Whether deposits are limited per network of the client. */
  readonly boundsNetworks: boolean;
}

const INSTRUCTIONS =
  'Each tool is one operation at a fixed price per call, paid with x402 (USDC): no account, no key. Call it. If the answer has "accepts", sign one of the offers and send the same call with the payment in _meta["x402/payment"]. A payment is executed and settled once. Resending it with the same arguments returns the same answer.';

/** Every operation as a tool. Arguments are parsed like bodies. */
export function createPaidMcp({ operations, limiter, boundsNetworks, ...deps }: PaidMcpDeps): McpEndpoint<PaidContext> {
  return {
    path: '/mcp',
    name: 'tollhouse-operations',
    title: 'Tollhouse: operations, paid per call',
    version: '1.0.0',
    instructions: INSTRUCTIONS,
    tools: operations.map((operation) => toPaidTool(operation, deps)),
    extensions: { [PAYMENT_EXTENSION]: {} },
    rules: I_JSON,
    schema: describeMcp({
      operationId: 'paid_mcp',
      tag: 'tools',
      summary: 'Operations as tools of the Model Context Protocol, paid per call with x402',
      security: [],
    }),
    async admit(request, tool) {
      const countUnpaid = () => limiter.count(request);
      const giveBack = () => limiter.giveBack(request);
      const whileCounted = <Answer>(work: () => Promise<Answer>) => limiter.whileCounted(request, work);
      if (tool === undefined) await countUnpaid();
      const client = clientOf(addressOf(request));
      const clientNetwork = boundsNetworks ? networkOf(addressOf(request)) : undefined;
      return {
        host: request.headers.host,
        requestId: request.id,
        client,
        clientNetwork,
        countUnpaid,
        whileCounted,
        giveBack,
      };
    },
  };
}
