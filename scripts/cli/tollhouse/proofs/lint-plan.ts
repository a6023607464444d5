import { readFileSync } from 'node:fs';
import { askSolver } from '../../../../services/verification/offline/solver.ts';
import { canonicalBytes } from '../../../../services/verification/proof/canonical-json.ts';
import { hashPlan } from '../../../../services/verification/records/record-hashes.ts';
import { SHIPPED_SHEETS } from '../../../../services/verification/sheets/shipped-sheets.ts';
import { parseStrictJsonBytes, RECORD_JSON, StrictJsonError } from '../../../../workers/exact/strict-json.ts';
import { CommandError, parseArguments, type Terminal } from '../terminal/command.ts';

const MAX_BYTES = 512 * 1024;

/**
 * `plan lint FILE [--sheet FILE]…` checks a plan as the service does, except for the operator's list of tools. The
 * sheets that come with the service are always available.
 */
export async function lintPlan(args: readonly string[], { say }: Pick<Terminal, 'say'>): Promise<void> {
  const { file, sheets } = readArguments(args);
  const plan = readJsonFile(file);
  const { fault, judgement, lint } = await askSolver<'check_plan'>({
    kind: 'check_plan',
    plan: toText(plan),
    sheets: [...SHIPPED_SHEETS.map(({ document }) => document), ...sheets.map((sheet) => toText(readJsonFile(sheet)))],
  });
  if (fault !== undefined) throw new CommandError(`${fault.path || '/'}: ${fault.message} (${fault.code})`);
  for (const { code, path, message } of lint) say(`warning  ${path}: ${message} (${code})`);
  if (judgement.verdict === 'vacuous') {
    throw new CommandError(`no run can obey the plan: ${judgement.core.join(', ')} contradict each other`);
  }
  say(`plan_hash ${hashPlan(plan)}`);
  say(judgement.verdict === 'satisfied' ? 'some run obeys it' : `could not be decided: ${judgement.verdict}`);
}

const USAGE = 'usage: npm run tollhouse -- plan lint FILE [--sheet FILE]...';

function readArguments(args: readonly string[]): { readonly file: string; readonly sheets: readonly string[] } {
  const { values, positionals } = parseArguments(args, { sheet: { type: 'string', multiple: true } }, USAGE);
  const [action, file, ...rest] = positionals;
  if (action === 'lint' && file !== undefined && rest.length === 0) return { file, sheets: values.sheet ?? [] };
  throw new CommandError(USAGE, 2);
}

const toText = (value: unknown): string => canonicalBytes(value).toString('utf8');

function readJsonFile(file: string): unknown {
  try {
    return parseStrictJsonBytes(readFileSync(file), MAX_BYTES, RECORD_JSON);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw new CommandError(`${file}: ${error.pointer || '/'}: ${error.message}`);
  }
}
