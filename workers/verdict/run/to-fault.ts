import { DocumentError } from '../../exact/document-error.ts';
import { PlanError } from '../../plan/plan-error.ts';
import type { Fault } from './checked.ts';

/** The fault of a document that could not be read. Throws any other error again. */
export function toFault(error: unknown): Fault {
  if (!(error instanceof DocumentError || error instanceof PlanError)) throw error;
  const { code, path, message } = error;
  return { code, path, message };
}
