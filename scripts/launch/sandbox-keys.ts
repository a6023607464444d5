import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createLogger } from '../../services/platform/process/logger.ts';
import { openDatabase } from '../../services/store/database.ts';
import type { KeyRole } from '../../services/store/verification-tables.ts';
import { authenticate, createTenant, issueKey } from '../../services/verification/tenants/keys.ts';

const ROLES: readonly KeyRole[] = ['agent', 'approver', 'reader'];

/** A key of each role, of one tenant. */
export type SandboxKeys = Readonly<Record<KeyRole, string>>;

/** Where a sandbox keeps its keys, for whoever plays in it. */
export const sandboxKeyFile = (dataDir: string): string => join(dataDir, 'keys', 'sandbox.json');

/** The keys of the sandbox's tenant, made when they are first wanted, or no longer known to the database. */
export async function ensureSandboxKeys(databaseUrl: string, dataDir: string): Promise<SandboxKeys> {
  const logger = createLogger({ name: 'sandbox', level: 'silent' });
  const database = openDatabase({ url: databaseUrl, connections: 1, logger });
  try {
    const kept = readSandboxKeys(dataDir);
    if (kept !== undefined && (await authenticate(database, kept.agent)) !== undefined) return kept;
    const tenantId = await createTenant(database, `sandbox-${Date.now()}`);
    const issued = [];
    for (const role of ROLES) issued.push([role, (await issueKey(database, tenantId, role)).key] as const);
    const keys = Object.fromEntries(issued) as SandboxKeys;
    const file = sandboxKeyFile(dataDir);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
    return keys;
  } finally {
    await database.destroy();
  }
}

/** Undefined where no sandbox has run on this data folder. */
export function readSandboxKeys(dataDir: string): SandboxKeys | undefined {
  try {
    return JSON.parse(readFileSync(sandboxKeyFile(dataDir), 'utf8')) as SandboxKeys;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
