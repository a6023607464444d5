import { createApps } from '../../gateway/app.ts';
import { operations } from '../../gateway/operations/index.ts';
import { describeApi } from '../../gateway/pages/openapi.ts';
import { endpoints } from '../../gateway/verified/index.ts';
import { createLogger } from '../../services/platform/process/logger.ts';
import { portOf } from '../launch/settings.ts';
import type { Generated } from './generated.ts';

/** Of these, the document says only which schemes are offered. */
const SANDBOX_TERMS = {
  network: 'eip155:31337',
  asset: '',
  assetName: '',
  assetVersion: '',
  payTo: '',
  maxTimeoutSeconds: 0,
  channels: {
    offered: true,
    receiverAuthorizer: '',
    withdrawDelaySeconds: 0,
    minDeposit: '',
    contract: '',
    chainId: 31_337n,
  },
};

/** Generates the OpenAPI document that `/openapi.json` serves at the default address. */
export async function generateOpenApi(): Promise<Generated> {
  const unused = (): never => {
    throw new Error('this application only generates its description');
  };
  const call = async () => unused();
  const origin = new URL(`http://127.0.0.1:${portOf({})}`);
  const { app } = await createApps({
    operations,
    verified: {
      endpoints,
      clients: {
        verification: { ask: call, authenticate: call },
        jobs: { submit: call, get: call, cancel: call },
      },
    },
    access: { handle: call },
    toolAccess: { handle: call },
    refundAccess: { handle: call },
    admission: { isFull: unused, hasRoom: unused, run: call, counts: unused },
    payments: {
      getTerms: call,
      begin: call,
      settle: call,
      release: call,
      getAdmission: call,
      count: call,
      fund: call,
      readChain: call,
      close: unused,
    },
    readHealth: call,
    publicUrls: [origin],
    contact: { name: `Operator of ${origin.host}` },
    terms: SANDBOX_TERMS,
    readClockSkewMs: unused,
    isSandbox: true,
    operator: undefined,
    dailyBudgetMicroUsd: 0n,
    retentionDays: 0,
    boundsNetworks: false,
    http: {
      maxConnections: 1,
      maxConnectionsPerClient: 0,
      maxBodyBytesInFlight: 0,
      maxEventLoopDelayMs: 1000,
      rateLimitPerMinute: 0,
      isTrustedProxy: () => false,
      logger: createLogger({ name: 'openapi', level: 'silent' }),
    },
  });
  await app.ready();
  const document = `${byLines(describeApi(app), 3)}\n`;
  await app.close();
  return { owned: 'openapi.json', files: new Map([['openapi.json', document]]) };
}

/** JSON with a line for each member down to a depth: each path and each component is one. */
function byLines(value: unknown, depth: number): string {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${byLines(member, depth - 1)}`,
  );
  return `{\n${members.join(',\n')}\n}`;
}
