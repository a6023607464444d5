import { randomUUID } from 'node:crypto';
import { type Api, createApi } from '../../../scripts/cli/try/api.ts';
import { createLogger } from '../../../services/platform/process/logger.ts';
import { type Database, openDatabase } from '../../../services/store/database.ts';
import type { KeyRole } from '../../../services/store/key-roles.ts';
import { createTenant, issueKey } from '../../../services/verification/tenants/keys.ts';
import { type SharedStack, useSharedStack } from '../../kit/shared-stack.ts';
import { type Stack, type StackOptions, startStack } from '../../kit/stack.ts';

export interface TestTenant {
  readonly tenantId: string;
  readonly keys: Readonly<Record<KeyRole, string>>;
  readonly agent: Api;
  readonly approver: Api;
  readonly reader: Api;
}

interface WithTenants {
  /** The database with the rights of the operator. */
  readonly owner: Database;
  addTenant(name: string): Promise<TestTenant>;
}

/** Starts the whole product with verified execution. */
export async function startVerifiedStack(options: StackOptions = {}): Promise<Stack & WithTenants> {
  return withTenants(await startStack({ ...options, verified: true }));
}

/** Uses the stack that tests share. */
export async function useVerifiedStack(): Promise<SharedStack & WithTenants> {
  return withTenants(await useSharedStack());
}

export type VerifiedStack = Awaited<ReturnType<typeof startVerifiedStack>>;
export type SharedVerifiedStack = Awaited<ReturnType<typeof useVerifiedStack>>;

function withTenants<Used extends SharedStack>(stack: Used): Used & WithTenants {
  const logger = createLogger({ name: 'test', level: 'silent' });
  const owner = openDatabase({ url: stack.databaseUrl, connections: 2, logger });
  const [origin] = stack.urls;
  return {
    ...stack,
    owner,
    async addTenant(name) {
      // Names of tenants are unique, and other tests may use the same stack.
      const tenantId = await createTenant(owner, `${name} ${randomUUID()}`);
      const issue = async (role: KeyRole) => (await issueKey(owner, tenantId, role)).key;
      const keys = { agent: await issue('agent'), approver: await issue('approver'), reader: await issue('reader') };
      return {
        tenantId,
        keys,
        agent: createApi(origin, keys.agent),
        approver: createApi(origin, keys.approver),
        reader: createApi(origin, keys.reader),
      };
    },
    async stop() {
      await owner.destroy();
      await stack.stop();
    },
  };
}
