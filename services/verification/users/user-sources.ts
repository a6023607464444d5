import { isUuidV7 } from '../../platform/patterns.ts';
import { ConfigurationError } from '../../platform/process/environment.ts';
import type { Logger } from '../../platform/process/logger.ts';
import type { Database } from '../../store/database.ts';
import { createEmbeddedUsers } from './embedded-users.ts';
import { createHubspotUsers } from './hubspot-users.ts';
import type { UserSource, UserSources } from './user-source.ts';

/** Visible ASCII, the comma apart: what a header may hold, and nothing that ends a line of it. */
const TOKEN = /^[!-+\--~]{1,512}$/;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

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
 * HubSpot for the tenants that have a token, each with a circuit breaker of its own; the database for all others.
 * @throws {ConfigurationError} which tells no token
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

/** Entries are named by their place: a misspelled one may be a token. */
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

/** Tokens are not sent in the clear beyond this machine. */
function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.has(url.hostname))) return url;
  throw new ConfigurationError('HUBSPOT_URL: found a value that is no https URL');
}
