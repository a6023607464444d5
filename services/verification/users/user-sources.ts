import { isUuidV7 } from '../../platform/patterns.ts';
import { ConfigurationError } from '../../platform/process/environment.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { maySendSecrets } from '../../platform/process/settings.ts';
import type { Database } from '../../store/database.ts';
import { createEmbeddedUsers } from './embedded-users.ts';
import { createHubspotUsers } from './hubspot-users.ts';
import type { UserSource, UserSources } from './user-source.ts';

/** Form of a token: visible ASCII without the comma, as a header may contain it. */
const TOKEN = /^[!-+\--~]{1,512}$/;

export interface UserSourcesOptions {
  readonly database: Database;
  readonly config: {
    readonly HUBSPOT_URL: string;
    readonly HUBSPOT_TOKENS: string;
    readonly HUBSPOT_TIMEOUT_MS: number;
  };
  readonly logger: Logger;
}

/**
 * Creates the sources: HubSpot for tenants with a token, each with its own circuit breaker, and the database for others.
 * @throws {ConfigurationError} without a token in its message
 */
export function createUserSources({ database, config, logger }: UserSourcesOptions): UserSources {
  const baseUrl = readUrl(config.HUBSPOT_URL);
  const embedded = createEmbeddedUsers(database);
  const sources = new Map<string, UserSource>();
  for (const [tenantId, token] of readTokens(config.HUBSPOT_TOKENS)) {
    const options = { baseUrl, token, timeoutMs: config.HUBSPOT_TIMEOUT_MS, logger: logger.child({ tenantId }) };
    sources.set(tenantId, createHubspotUsers(options));
  }
  return (tenantId) => sources.get(tenantId) ?? embedded;
}

/** Errors name entries by number, because a misspelled entry may be a token. */
function readTokens(list: string): ReadonlyMap<string, string> {
  const tokens = new Map<string, string>();
  const entries = list === '' ? [] : list.split(',');
  for (const [index, entry] of entries.entries()) {
    const [tenantId, ...rest] = entry.trim().split('=');
    const token = rest.join('=');
    const wrong = (what: string) => new ConfigurationError(`HUBSPOT_TOKENS: entry ${index + 1} ${what}`);
    if (tenantId === undefined || !isUuidV7(tenantId) || !TOKEN.test(token)) throw wrong('is not TENANT_ID=TOKEN');
    if (tokens.has(tenantId)) throw wrong('names a tenant again');
    tokens.set(tenantId, token);
  }
  return tokens;
}

/** Tokens are never sent unencrypted to another machine. */
function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && maySendSecrets(url)) return url;
  throw new ConfigurationError('HUBSPOT_URL: found a value that is not an https URL');
}
