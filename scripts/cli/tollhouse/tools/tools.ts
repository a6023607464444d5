import { ServiceError } from '../../../../services/platform/grpc/service-error.ts';
import type { Database } from '../../../../services/store/database.ts';
import { importTools, listTools } from '../../../../services/verification/catalogue/operator-tools.ts';
import { readTool, type ToolText } from '../../../../services/verification/catalogue/tool-document.ts';
import { openSolver } from '../../../../services/verification/offline/solver.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { errorCodeOf } from '../../../launch/parse/error-code.ts';
import { readTools } from '../plans/plan-input.ts';
import { withDatabase } from '../stores/operator-database.ts';
import { CommandError, expectArguments, parseArguments, readTenantId, type Terminal } from '../terminal/command.ts';
import { operatorOf } from '../terminal/operator.ts';
import { toJson } from '../terminal/options.ts';

const IMPORT = 'tools import FILE [--tenant TENANT] [--reason TEXT]';
const LIST = 'tools list [--tenant TENANT] [--json]';
const OPTIONS = {
  tenant: { type: 'string' },
  reason: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;
/** Error code of PostgreSQL. */
const FOREIGN_KEY_VIOLATION = '23503';

/** `tools import|list`: the catalogue of tools, which plans name. */
export async function tools([action, ...args]: readonly string[], terminal: Terminal): Promise<void> {
  switch (action) {
    case 'import':
      return importFile(args, terminal);
    case 'list':
      return list(args, terminal);
    default:
      throw new CommandError('usage: npm run tollhouse -- tools import|list', 2);
  }
}

/** All descriptions of the file are stored, or none. */
async function importFile(args: readonly string[], terminal: Terminal): Promise<void> {
  const { positionals, values } = parseArguments(args, OPTIONS, `usage: npm run tollhouse -- ${IMPORT}`);
  const file = defined(expectArguments(positionals, 1, IMPORT)[0]);
  const tenantId = values.tenant === undefined ? undefined : readTenantId(values.tenant);
  const texts = await readTexts(file);
  const by = { operator: operatorOf(terminal), reason: values.reason ?? 'none given' };
  const store = (database: Database) => importTools(database, { tools: texts, tenantId, by });
  const added = await withDatabase(terminal, store).catch((error: unknown) => {
    if (error instanceof ServiceError) throw new CommandError(`${error.message} (${error.code})`);
    throw errorCodeOf(error) === FOREIGN_KEY_VIOLATION ? new CommandError(`there is no tenant ${tenantId}`) : error;
  });
  for (const { tool, sha256 } of texts) terminal.say(`${tool.name}@${tool.version}  ${sha256}`);
  terminal.say(`${added} of ${texts.length} descriptions are new`);
}

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

async function list(args: readonly string[], terminal: Terminal): Promise<void> {
  const { positionals, values } = parseArguments(args, OPTIONS, `usage: npm run tollhouse -- ${LIST}`);
  expectArguments(positionals, 0, LIST);
  const tenantId = values.tenant === undefined ? undefined : readTenantId(values.tenant);
  const found = await withDatabase(terminal, (database) => listTools(database, tenantId));
  if (values.json) return terminal.say(toJson(found));
  for (const { name, version, effect, origin, sha256 } of found) {
    terminal.say(`${`${name}@${version}`.padEnd(32)} ${effect.padEnd(13)} ${origin.padEnd(8)} ${sha256}`);
  }
}
