import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readKeyFile } from '../../../services/verification/proof/keys.ts';
import { verifyProofFile } from '../../../services/verification/proof/proof-file.ts';
import { type Api, createApi } from './api.ts';
import { type Played, playRun } from './play-run.ts';
import { type Ending, readPlanFile, readRun, readRunFiles } from './run-file.ts';
import { TryError } from './try-error.ts';
import { dataFolder, readTryKeys, type TryKeySources, wrongKeys } from './try-keys.ts';

type Say = (line: string) => void;

export interface TryVerified extends TryKeySources {
  /** Name of one run; all of them without it. */
  readonly wanted: string | undefined;
  readonly say: Say;
}

/**
 * Plays the runs of the example, or one of them, against a server, and says where each ended.
 * @returns whether all ended where they should
 */
export async function tryVerified({ wanted, say, ...sources }: TryVerified): Promise<boolean> {
  const { origin, environment } = sources;
  const keys = readTryKeys(sources);
  const agent = createApi(origin, keys.agent);
  const approver = createApi(origin, keys.approver);
  const runs = [...readRunFiles()].filter(([name]) => wanted === undefined || name === wanted);
  if (runs.length === 0)
    throw new TryError(`there is no run ${wanted}; there are ${[...readRunFiles().keys()].join(', ')}`);
  let areAllRight = true;
  for (const [name, text] of runs) {
    const run = readRun(text, randomBytes(4).toString('hex'));
    say(`\n${run.title}  (${name})`);
    let played: Played | undefined;
    for (let time = 1; time <= (run.times ?? 1); time++) {
      const onStep = (step: string, detail: string) => say(`  ${step.padEnd(15)} ${detail}`);
      played = await playRun(readPlanFile(), run, { agent, approver, onStep });
    }
    if (played?.code === 'UNAUTHENTICATED') throw new TryError(wrongKeys(origin));
    const isRight = played !== undefined && isAsExpected(played, run.expect);
    say(isRight ? `  → ${describe(run.expect)}, as it should` : `  → ${played && describe(played)}: NOT as it should`);
    areAllRight &&= isRight;
    if (played?.proofId !== undefined && wanted !== undefined)
      await keepProof(agent, played, { folder: join(dataFolder(environment), 'example'), say });
  }
  return areAllRight;
}

/** Whether a play ended where its run file says: what that leaves open may be anything. */
export function isAsExpected(played: Played, expected: Ending): boolean {
  return Object.entries(expected).every(([name, value]) => played[name as keyof Ending] === value);
}

function describe({ at, code, check, reason }: Ending): string {
  if (at === 'proof') return 'a proof';
  return `refused at ${at}: ${[check, code ?? reason].filter(Boolean).join(', ')}`;
}

/** Downloads proof, keys and records, and verifies the proof here. */
async function keepProof(
  agent: Api,
  { proofId, executionId }: Played,
  { folder, say }: { readonly folder: string; readonly say: Say },
): Promise<void> {
  const proof = await agent.download(`/api/v1/proofs/${proofId}`);
  const keys = await agent.download('/api/v1/log/keys');
  const records = await agent.download(`/api/v1/executions/${executionId}/records`);
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of Object.entries({ proof, keys, records }))
    writeFileSync(join(folder, `${name}.json`), bytes);
  const verdict = verifyProofFile(proof, readKeyFile(keys));
  say(
    `  proof, keys and records are in ${folder}; the proof ${verdict.ok ? 'verifies' : verdict.message}. Work it out again:`,
  );
  const [file, keyFile, recordFile] = ['proof', 'keys', 'records'].map((name) => join(folder, `${name}.json`));
  say(`  npm run tollhouse -- verify-proof ${file} --keys ${keyFile} --records ${recordFile}`);
}
