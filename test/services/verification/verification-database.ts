import { createLogger } from '../../../services/platform/process/logger.ts';
import { type Database, migrate, openDatabase } from '../../../services/store/database.ts';
import { SERVICE_ROLE } from '../../../services/store/preparation.ts';
import { createTenant } from '../../../services/verification/tenants/keys.ts';
import { startTestPostgres, type TestServer } from '../../kit/servers.ts';
import { HANG_MS } from '../../kit/until.ts';

const logger = createLogger({ name: 'test', level: 'silent' });

export interface VerificationDatabase {
  readonly server: TestServer;
  /** A connection as the owner, like that of the operator's command line. */
  readonly owner: Database;
  /** A connection with the role of the service. */
  readonly service: Database;
  /** Ids of two tenants. */
  readonly tenants: readonly [string, string];
  readonly stop: () => Promise<void>;
}

export async function startVerificationDatabase(): Promise<VerificationDatabase> {
  const server = await startTestPostgres();
  await migrate(server.url, logger);
  const owner = openDatabase({ url: server.url, connections: 4, connectTimeoutMs: HANG_MS, logger });
  const service = openDatabase({
    url: server.url,
    connections: 16,
    connectTimeoutMs: HANG_MS,
    logger,
    role: SERVICE_ROLE,
  });
  const tenants = [await createTenant(owner, 'first'), await createTenant(owner, 'second')] as const;
  return {
    server,
    owner,
    service,
    tenants,
    async stop() {
      await Promise.all([owner.destroy(), service.destroy()]);
      await server.stop();
    },
  };
}
