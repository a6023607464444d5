import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMAND_LINES } from '../../../services/platform/process/installation.ts';
import { readKeyFile } from '../../../services/verification/contract/proof/key-file.ts';
import { verifyProofFile } from '../../../services/verification/contract/proof/verify-proof-file.ts';
import { dataFolderOf } from '../../launch/settings.ts';
import { CommandError } from '../terminal/command.ts';
import { type Api, ApiError, createApi } from './api.ts';
import { describeTools } from './flow-calls.ts';
import { type Played, type Player, playRun } from './play-run.ts';
import { type Ending, type RunFile, readPlanFile, readRun, readRunFiles } from './run-file.ts';
import { readTryKeys, type TryKeySources, wrongKeys } from './try-keys.ts';

type Say = (line: string) => void;

export interface TryVerified extends TryKeySources {
  /** The run to play; all runs if undefined. */
  readonly wanted: string | undefined;
  readonly say: Say;
}

/**
 * Plays one run of the example, or all of them, against a server, and prints where each run ended, with links to
 * the pages of plans and proofs. Saves the first proof.
 * @returns whether every run ended as its file expects
 * @throws {CommandError} if there is no such run, or if the server does not accept the keys
 */
export async function tryVerified({ wanted, say, ...sources }: TryVerified): Promise<boolean> {
  const { origin, environment } = sources;
  const keys = readTryKeys(sources);
  const [agent, approver] = [createApi(origin, keys.agent), createApi(origin, keys.approver)];
  const texts = wantedRuns(wanted);
  await describeTools(approver).catch((error: unknown) => {
    const isUnknown = error instanceof ApiError && error.code === 'UNAUTHENTICATED';
    throw isUnknown ? new CommandError(wrongKeys(origin)) : error;
  });
  const onStep: Player['onStep'] = (step, detail, page) => {
    say(`  ${step.padEnd(15)} ${detail}`);
    if (page !== undefined) say(`  ${''.padEnd(15)} ${origin}${page}`);
  };
  let areAllAsExpected = true;
  let isSaved = false;
  for (const [name, text] of texts) {
    const run = readRun(text, randomBytes(4).toString('hex'));
    say(`\n${run.title}  (${name})`);
    const played = await playTimes(run, { agent, approver, onStep });
    if (played.code === 'UNAUTHENTICATED') throw new CommandError(wrongKeys(origin));
    const isExpected = isAsExpected(played, run.expect);
    say(isExpected ? `  → ${describe(run.expect)}, as expected` : `  → ${describe(played)}: NOT as expected`);
    areAllAsExpected &&= isExpected;
    const { proofId, executionId } = played;
    if (proofId !== undefined && executionId !== undefined && !isSaved) {
      isSaved = true;
      await saveProof(agent, { proofId, executionId }, { folder: join(dataFolderOf(environment), 'example'), say });
    }
  }
  return areAllAsExpected;
}

function wantedRuns(wanted: string | undefined): readonly (readonly [string, string])[] {
  const all = readRunFiles();
  if (wanted === undefined) return [...all];
  const text = all.get(wanted);
  if (text === undefined)
    throw new CommandError(`there is no run ${wanted}; the runs are ${[...all.keys()].join(', ')}`);
  return [[wanted, text]];
}

/** Plays a run as often as its file says. @returns where the last play ended */
async function playTimes(run: RunFile, player: Player): Promise<Played> {
  const times = run.times ?? 1;
  for (let time = 1; time < times; time += 1) await playRun(readPlanFile(), run, player);
  return playRun(readPlanFile(), run, player);
}

/** Whether a play ended as its run file expects. Fields that the run file leaves out may have any value. */
export function isAsExpected(played: Played, expected: Ending): boolean {
  return Object.entries(expected).every(([name, value]) => Reflect.get(played, name) === value);
}

function describe({ at, code, check, reason }: Ending): string {
  if (at === 'proof') return 'a proof';
  return `refused at ${at}: ${[check, code ?? reason].filter((text) => text !== undefined).join(', ')}`;
}

interface ProofIds {
  readonly proofId: string;
  readonly executionId: string;
}

/** Downloads the proof, the keys and the records to a folder, and verifies the proof locally. */
async function saveProof(
  agent: Api,
  { proofId, executionId }: ProofIds,
  { folder, say }: { readonly folder: string; readonly say: Say },
): Promise<void> {
  const proof = await agent.download(`/api/v1/proofs/${proofId}`);
  const keys = await agent.download('/api/v1/log/keys');
  const records = await agent.download(`/api/v1/executions/${executionId}/records`);
  mkdirSync(folder, { recursive: true });
  const save = (name: string, bytes: Buffer): string => {
    const file = join(folder, `${name}.json`);
    writeFileSync(file, bytes);
    return file;
  };
  const [proofFile, keyFile, recordFile] = [save('proof', proof), save('keys', keys), save('records', records)];
  const verdict = await verifyProofFile(proof, await readKeyFile(keys));
  say(
    `  The proof, keys and records are in ${folder}. The proof ${verdict.ok ? 'is valid' : `fails: ${verdict.message}`}.`,
  );
  say('  To check the proof and every verdict again:');
  say(`  ${COMMAND_LINES.tollhouse} verify-proof ${proofFile} --keys ${keyFile} --records ${recordFile}`);
}
