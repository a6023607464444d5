import { readFileSync } from 'node:fs';
import { parseStrictJsonBytes, RECORD_JSON, StrictJsonError } from '../../services/shared/strict-json.ts';
import { canonicalBytes } from '../../services/verification/proof/canonical-json.ts';
import { hashPlan } from '../../services/verification/records/record-hashes.ts';
import { CommandError } from './command.ts';
import { askSolver } from './solver.ts';

const MAX_PLAN_BYTES = 512 * 1024;

/** `plan lint FILE`: what the service would say of a plan, but for the operator's list of tools. */
export async function lintPlan([action, file, ...rest]: readonly string[]): Promise<void> {
  if (action !== 'lint' || file === undefined || rest.length > 0) {
    throw new CommandError('usage: npm run tollhouse -- plan lint FILE', 2);
  }
  const plan = readPlanFile(file);
  const { fault, judgement, lint } = await askSolver<'check_plan'>({
    kind: 'check_plan',
    plan: canonicalBytes(plan).toString('utf8'),
  });
  if (fault !== undefined) throw new CommandError(`${fault.path || '/'}: ${fault.message} (${fault.code})`);
  for (const { code, path, message } of lint) console.log(`warning  ${path}: ${message} (${code})`);
  if (judgement.verdict === 'vacuous' || judgement.verdict === 'violated') {
    throw new CommandError(`no run obeys the plan: ${judgement.core.join(', ')} contradict each other`);
  }
  console.log(`plan_hash ${hashPlan(plan)}`);
  console.log(judgement.verdict === 'satisfied' ? 'some run obeys it' : `not decided: ${judgement.verdict}`);
}

function readPlanFile(file: string): unknown {
  try {
    return parseStrictJsonBytes(readFileSync(file), MAX_PLAN_BYTES, RECORD_JSON);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw new CommandError(`${file}: ${error.pointer || '/'}: ${error.message}`);
  }
}
