import { ServiceError } from '../../../../services/platform/grpc/service-error.ts';
import type { Database } from '../../../../services/store/database.ts';
import { importTools, listTools } from '../../../../services/verification/catalogue/operator-tools.ts';
import { readTool, type ToolText } from '../../../../services/verification/catalogue/tool-document.ts';
import { openSolver } from '../../../../services/verification/offline/solver.ts';
import { errorCodeOf } from '../../../launch/parse/error-code.ts';
import { type Command, CommandError, readTenantId } from '../../terminal/command.ts';
import { operatorOf } from '../../terminal/operator.ts';
import { toJson } from '../../terminal/options.ts';
import { sayTable } from '../../terminal/table.ts';
import { readTools } from '../plans/plan-input.ts';
import { withDatabase } from '../stores/operator-database.ts';

/** Error code of PostgreSQL. */
const FOREIGN_KEY_VIOLATION = '23503';

/** `tools import`. All descriptions of the file are stored, or none. */
export const importFile: Command = async (terminal, { tenant, reason = 'none given' }, file) => {
  const tenantId = tenant === undefined ? undefined : readTenantId(tenant);
  const texts = await readTexts(file);
  const by = { operator: operatorOf(terminal), reason };
  const store = (database: Database) => importTools(database, { tools: texts, tenantId, by });
  const added = await withDatabase(terminal, store).catch((error: unknown) => {
    if (error instanceof ServiceError) throw new CommandError(`${error.message} (${error.code})`);
    throw errorCodeOf(error) === FOREIGN_KEY_VIOLATION ? new CommandError(`there is no tenant ${tenantId}`) : error;
  });
  for (const { tool, sha256 } of texts) terminal.say(`${tool.name}@${tool.version}  ${sha256}`);
  terminal.say(`${added} of ${texts.length} descriptions are new`);
};

/** @throws {CommandError} for the first description that cannot be read */
async function readTexts(file: string): Promise<readonly ToolText[]> {
  try {
    const texts = readTools(file).map((tool) => readTool(tool, `/${tool.name}@${tool.version}`));
    await assertReadable(file, texts);
    return texts;
  } catch (error) {
    if (error instanceof ServiceError) throw new CommandError(`${file}: ${error.message}`);
    throw error;
  }
}

/** The solver reads types and expressions. @throws {CommandError} */
async function assertReadable(file: string, texts: readonly ToolText[]): Promise<void> {
  const solver = await openSolver();
  try {
    for (const { tool, document } of texts) {
      const { fault } = await solver.ask<'check_tool'>({ kind: 'check_tool', tool: document });
      if (fault === undefined) continue;
      throw new CommandError(`${file}: ${tool.name}@${tool.version}${fault.path}: ${fault.message} (${fault.code})`);
    }
  } finally {
    await solver.close();
  }
}

/** `tools list`. */
export const listDescriptions: Command = async (terminal, { tenant, json }) => {
  const tenantId = tenant === undefined ? undefined : readTenantId(tenant);
  const found = await withDatabase(terminal, (database) => listTools(database, tenantId));
  if (json) return terminal.say(toJson(found));
  const rows = found.map(({ name, version, effect, origin, sha256 }) => [`${name}@${version}`, effect, origin, sha256]);
  sayTable(terminal, ['TOOL', 'EFFECT', 'ORIGIN', 'SHA256'], rows);
};
