import { CLAIMS_LIBRARY, readClaimsFormat } from '../../../../services/payments/claims/claims-library.ts';
import { findLaterFormat } from '../../../../services/platform/redis/later-format.ts';
import { type LibraryUse, listLibraries } from '../../../../services/platform/redis/library-use.ts';
import type { RedisClient } from '../../../../services/platform/redis/redis-client.ts';
import type { Database } from '../../../../services/store/database.ts';
import { type Finding, failure, ok } from './finding.ts';

const HOUR_MS = 3_600_000;

/** Lists the libraries of functions of all releases in Redis. A release that is no longer used is removed by itself. */
export async function examineLibraries(client: RedisClient): Promise<Finding> {
  const libraries = await listLibraries(client);
  const found = libraries.length === 0 ? 'none is loaded yet' : libraries.map((each) => describe(each)).join('; ');
  return ok('redis.functions', found);
}

function describe({ name, lastUsedMs }: LibraryUse): string {
  const release = name === CLAIMS_LIBRARY.name ? 'this release' : 'another release';
  if (lastUsedMs === undefined) return `${name} (${release})`;
  // Processes note their use once an hour.
  const hours = Math.max(0, Math.floor((Date.now() - lastUsedMs) / HOUR_MS));
  return `${name} (${release}, in use ${hours < 2 ? 'now' : `${hours} h ago`})`;
}

/** Looks at the format of the claims of each network that PostgreSQL knows. */
export async function examineClaims(client: RedisClient, database: Database): Promise<readonly Finding[]> {
  const known = await database.selectFrom('claims_witness').select('network').orderBy('network').execute();
  return Promise.all(known.map(({ network }) => examineFormat(client, network)));
}

async function examineFormat(client: RedisClient, network: string): Promise<Finding> {
  const format = await readClaimsFormat(client, network);
  const later = findLaterFormat('claims', format, CLAIMS_LIBRARY.format);
  const check = 'claims.format';
  if (later === undefined) return ok(check, `${network}: format ${format}`);
  return failure(check, `${network}: ${later.message}`, 'see docs/operations/upgrades.md');
}
