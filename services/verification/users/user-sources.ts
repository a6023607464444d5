import type { Logger } from '../../platform/process/logger.ts';
import type { Database } from '../../store/database.ts';
import { createEmbeddedUsers } from './embedded-users.ts';
import { createHubspotUsers } from './hubspot-users.ts';
import type { UserSource, UserSources } from './user-source.ts';

/** For a page of users. The gateway waits for ten seconds, and must learn that HubSpot was too slow. */
const HUBSPOT_TIMEOUT_MS = 6000;

export interface UserSourcesOptions {
  readonly database: Database;
  readonly config: {
    readonly hubspotUrl: URL;
    /** By tenant. */
    readonly hubspotTokens: ReadonlyMap<string, string>;
  };
  readonly logger: Logger;
}

/** Creates the sources: HubSpot for tenants with a token, each with its own circuit breaker, and the database for others. */
export function createUserSources({ database, config, logger }: UserSourcesOptions): UserSources {
  const { hubspotUrl: baseUrl, hubspotTokens } = config;
  const embedded = createEmbeddedUsers(database);
  const sources = new Map<string, UserSource>();
  for (const [tenantId, token] of hubspotTokens) {
    const options = { baseUrl, token, timeoutMs: HUBSPOT_TIMEOUT_MS, logger: logger.child({ tenantId }) };
    sources.set(tenantId, createHubspotUsers(options));
  }
  return (tenantId) => sources.get(tenantId) ?? embedded;
}
