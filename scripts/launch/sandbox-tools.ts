import { readFileSync } from 'node:fs';
import { createLogger } from '../../services/platform/process/logger.ts';
import { openDatabase } from '../../services/store/database.ts';
import { importTools, listTools } from '../../services/verification/catalogue/operator-tools.ts';
import { readTool } from '../../services/verification/catalogue/tool-document.ts';
import { compileTools } from '../../workers/plan/text/tools/compile-tools.ts';

/** Describes the tools of the examples for all tenants, unless the operator has described any. */
export async function ensureSandboxTools(databaseUrl: string, catalogue: string): Promise<void> {
  const logger = createLogger({ name: 'sandbox', level: 'silent' });
  const database = openDatabase({ url: databaseUrl, connections: 1, logger });
  try {
    if ((await listTools(database, undefined)).length > 0) return;
    const { tools, faults } = compileTools(readFileSync(catalogue, 'utf8'));
    if (tools === undefined) throw new Error(`${catalogue} has faults: ${JSON.stringify(faults)}`);
    const texts = tools.map((tool) => readTool(tool, `/${tool.name}`));
    const by = { operator: 'sandbox', reason: 'the tools of the examples' };
    await importTools(database, { tools: texts, tenantId: undefined, by });
  } finally {
    await database.destroy();
  }
}
