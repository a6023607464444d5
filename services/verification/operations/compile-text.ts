import type { TextFault } from '../../../workers/plan/text/faults/text-fault.ts';
import type { CallContext } from '../../platform/grpc/grpc-server.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { listCatalogue, textsOf } from '../catalogue/tool-records.ts';
import { type OperationDeps, solverOptions } from '../context/operation.ts';
import type { PlanTextArguments } from '../contract/arguments.ts';
import { at } from '../requests/requests.ts';
import { listSheetTexts } from '../sheets/sheet-records.ts';
import { findTableTexts } from '../tables/table-records.ts';
import type { Caller } from '../tenants/keys.ts';
import { inTenant, type TenantTransaction } from '../tenants/transaction.ts';

/** A text of a plan that has faults. */
export class PlanTextError extends Error {
  override readonly name = 'PlanTextError';
  readonly faults: readonly TextFault[];

  constructor(faults: readonly TextFault[]) {
    super('the text of the plan has faults');
    this.faults = faults;
  }
}

interface Author {
  readonly caller: Caller;
  readonly context: CallContext;
}

/**
 * Compiles the text of a plan, with the catalogue, the sheets and the named tables of the tenant.
 * @returns the plan, to be checked like one that was sent
 * @throws {PlanTextError} @throws {ServiceError} UNKNOWN_TABLE
 */
export async function compileText(
  { database, authoring }: Pick<OperationDeps, 'database' | 'authoring'>,
  { plan_text: text, tables = {} }: PlanTextArguments,
  { caller, context }: Author,
): Promise<unknown> {
  const documents = await inTenant(database, caller.tenantId, async (transaction) => ({
    tools: await textsOf(transaction, await listCatalogue(transaction)),
    sheets: await listSheetTexts(transaction),
    files: await findFiles(transaction, tables),
  }));
  const { plan, faults } = await authoring.compile({ text, ...documents }, solverOptions(caller, context));
  if (faults !== undefined) throw new PlanTextError(faults);
  return plan;
}

async function findFiles(
  transaction: TenantTransaction,
  tables: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const texts = new Map(
    (await findTableTexts(transaction, Object.values(tables))).map(({ sha256, text }) => [sha256, text]),
  );
  return Object.fromEntries(
    Object.entries(tables).map(([file, sha256]) => {
      const text = texts.get(sha256);
      if (text !== undefined) return [file, text];
      const message = `no table with the hash ${sha256} is stored: upload it with POST /api/v1/tables first`;
      throw new ServiceError('UNKNOWN_TABLE', at('/tables', message));
    }),
  );
}
