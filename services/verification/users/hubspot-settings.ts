import { isUuidV7 } from '../../platform/patterns.ts';
import { ConfigurationError } from '../../platform/process/environment.ts';

/** Form of a token: visible ASCII without the comma, as a header may contain it. */
const TOKEN = /^[!-+\--~]{1,512}$/;

/** Errors name entries by number, because a misspelled entry may be a token. @throws {ConfigurationError} */
export function readHubspotTokens(list: string): ReadonlyMap<string, string> {
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
