import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Static, Type } from 'typebox';
import { createLogger } from '../../services/platform/process/logger.ts';
import { openDatabase } from '../../services/store/database.ts';
import { authenticate, createTenant, issueKey } from '../../services/verification/tenants/keys.ts';
import { errorCodeOf } from './parse/error-code.ts';
import { createJsonReader } from './parse/json-reader.ts';

const SandboxKeys = Type.Object({ agent: Type.String(), approver: Type.String(), reader: Type.String() });

/** One tenant's keys, one for each role. */
export type SandboxKeys = Readonly<Static<typeof SandboxKeys>>;

/** The file in which a sandbox keeps its keys. */
export const sandboxKeyFile = (dataDir: string): string => join(dataDir, 'keys', 'sandbox.json');

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
    const file = sandboxKeyFile(dataDir);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
    return keys;
  } finally {
    await database.destroy();
  }
}

const parseSandboxKeys = createJsonReader(SandboxKeys, 'the file of sandbox keys');

/** Undefined if no sandbox has run on this data folder. @throws {Error} if the file is not as it was written */
export function readSandboxKeys(dataDir: string): SandboxKeys | undefined {
  try {
    return parseSandboxKeys(readFileSync(sandboxKeyFile(dataDir), 'utf8'));
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
