import type { FastifyInstance } from 'fastify';
import type { PaymentsClient } from '../services/payments/contract/client.ts';
import type { Access } from './access/access.ts';
import type { SellerTerms } from './access/offer/accepts.ts';
import type { RefundAccess } from './access/refund-access.ts';
import type { ToolAccess } from './access/tool-access.ts';
import type { Admission } from './admission/admission.ts';
import { registerRefund } from './channels/refund-route.ts';
import type { Contact } from './config/config.ts';
import { createAdminServer } from './http/admin-server.ts';
import { type Health, registerHealth } from './http/health.ts';
import { createHttpApp, type HttpOptions } from './http/http-app.ts';
import { registerJsonBody } from './http/json-body.ts';
import { registerMetrics } from './http/metrics.ts';
import { createPaidMcp } from './mcp/paid/paid-mcp.ts';
import { registerMcp } from './mcp/register-mcp.ts';
import { createVerifiedMcp } from './mcp/verified/verified-mcp.ts';
import { createEarlyRefusals } from './operations/early-refusals.ts';
import type { Operation } from './operations/operation/operation.ts';
import { registerOperations } from './operations/routes.ts';
import { type OperatorOptions, registerOperator } from './operator/register-operator.ts';
import { registerOpenApi } from './pages/openapi.ts';
import { registerPages } from './pages/pages.ts';
import { registerChainRpc } from './sandbox/chain-rpc.ts';
import { registerFaucet } from './sandbox/faucet.ts';
import type { Endpoint, EndpointRequest } from './verified/endpoint.ts';
import { registerEndpoints } from './verified/register-endpoints.ts';

export interface AppDeps {
  readonly operations: readonly Operation[];
  /** Of verified execution. */
  readonly verified: { readonly endpoints: readonly Endpoint[]; readonly clients: EndpointRequest['clients'] };
  readonly access: Access;
  readonly toolAccess: ToolAccess;
  readonly refundAccess: RefundAccess;
  readonly admission: Admission;
  readonly payments: PaymentsClient;
  readonly readHealth: () => Promise<Health>;
  /** How far the clock of this machine is ahead of that of the database; undefined until it is known. */
  readonly readClockSkewMs: () => number | undefined;
  /** Origins that clients use; the first is the one of the documents. */
  readonly publicUrls: readonly [URL, ...URL[]];
  readonly contact: Contact;
  readonly terms: SellerTerms;
  readonly isSandbox: boolean;
  /** Undefined if the operator's page is not served. */
  readonly operator: OperatorOptions | undefined;
  /** What all trials together may spend in a UTC day, in micro-USD. */
  readonly dailyBudgetMicroUsd: bigint;
  /** Days after which bodies of calls are deleted. */
  readonly retentionDays: number;
  readonly boundsNetworks: boolean;
  readonly http: Omit<HttpOptions, 'isHttps' | 'refuse'>;
}

export interface Apps {
  readonly app: FastifyInstance;
  /** For the operator's programs. */
  readonly admin: FastifyInstance;
}

/** The HTTP applications. They do no IO of their own until they listen. */
export async function createApps(deps: AppDeps): Promise<Apps> {
  const { publicUrls } = deps;
  const [origin] = publicUrls;
  const http = { ...deps.http, isHttps: origin.protocol === 'https:' };
  const refusals = createEarlyRefusals({ ...http, operations: deps.operations, admission: deps.admission });
  const { app, limiter, readBody } = await createHttpApp({ ...http, refuse: refusals.refuse });
  registerJsonBody(app, readBody);
  const {
    countVerdict,
    countPaid,
    read: readMetrics,
  } = registerMetrics(app, {
    readClockSkewMs: deps.readClockSkewMs,
    countPayments: () => deps.payments.count({ timeoutMs: COUNT_TIMEOUT_MS }),
    countCalls: deps.admission.counts,
    countRefused: refusals.count,
    monotonicMs: () => performance.now(),
  });
  const readReadiness = registerHealth(app, deps.readHealth);
  await registerOpenApi(app, { ...deps, origin });
  registerOperations(app, { ...deps, limiter });
  registerRefund(app, { ...deps, limiter });
  await registerEndpoints(app, { ...deps.verified, countVerdict, readBody, limiter });
  const { operations, boundsNetworks, toolAccess: toolCalls } = deps;
  const paid = createPaidMcp({ operations, boundsNetworks, access: toolCalls, countPaid, limiter });
  const verified = createVerifiedMcp({ clients: deps.verified.clients, countVerdict, limiter });
  await registerMcp(app, paid, { publicUrls, limiter, readBody });
  await registerMcp(app, verified, { publicUrls, limiter, readBody });
  registerPages(app, {
    ...deps,
    origin,
    toolEndpoints: [paid, verified],
    hasOperatorPage: deps.operator !== undefined,
  });
  if (deps.operator !== undefined) registerOperator(app, deps.operator);
  if (deps.isSandbox) {
    registerFaucet(app, deps.payments);
    await registerChainRpc(app, { payments: deps.payments, limiter, readBody });
  }
  return { app, admin: createAdminServer({ readMetrics, readReadiness }) };
}

const COUNT_TIMEOUT_MS = 1000;
