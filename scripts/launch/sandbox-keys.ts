import { createLogger } from '../../services/platform/process/logger.ts';
import { openDatabase } from '../../services/store/database.ts';
import { authenticate, createTenant, issueKey } from '../../services/verification/tenants/keys.ts';
import { keepKeys, readKeptKeys } from './sandbox-key-file.ts';

/** One tenant's keys, one for each role. */
export interface SandboxKeys {
  readonly agent: string;
  readonly approver: string;
  readonly reader: string;
}

/** Returns the keys of the sandbox's tenant. Creates them if there are none, or if the database does not know them. */
export async function ensureSandboxKeys(databaseUrl: string, dataDir: string): Promise<SandboxKeys> {
  const logger = createLogger({ name: 'sandbox', level: 'silent' });
  const database = openDatabase({ url: databaseUrl, connections: 1, logger });
  try {
    const kept = readSandboxKeys(dataDir);
    if (kept !== undefined && (await authenticate(database, kept.agent)) !== undefined) return kept;
    const tenantId = await createTenant(database, `sandbox-${Date.now()}`);
    const keys: SandboxKeys = {
      agent: (await issueKey(database, tenantId, 'agent')).key,
      approver: (await issueKey(database, tenantId, 'approver')).key,
      reader: (await issueKey(database, tenantId, 'reader')).key,
    };
    keepKeys(dataDir, keys);
    return keys;
  } finally {
    await database.destroy();
  }
}

/** Undefined if no sandbox has run on this data folder. @throws {Error} if the file is not as it was written */
export function readSandboxKeys(dataDir: string): SandboxKeys | undefined {
  const { agent, approver, reader } = readKeptKeys(dataDir);
  if (agent === undefined || approver === undefined || reader === undefined) return undefined;
  return { agent, approver, reader };
}
