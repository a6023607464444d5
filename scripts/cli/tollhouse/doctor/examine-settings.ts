import { findBundles } from '../../../launch/bundles/current-bundles.ts';
import { checkPrograms } from '../../../launch/check-programs.ts';
import { type Finding, failure, ok } from './finding.ts';

/** What the programs say about their settings, as `npm start` would give them. */
export async function examineSettings(environment: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  const check = 'configuration';
  const faults = await checkPrograms(environment, findBundles());
  if (faults.length === 0) return [ok(check, 'every program can use its settings')];
  return faults.map((fault) => failure(check, fault, 'correct the variable, and start these programs again'));
}
