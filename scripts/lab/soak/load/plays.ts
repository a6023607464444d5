import { randomBytes } from 'node:crypto';
import { ApiError, createApi } from '../../../cli/try/api.ts';
import { type Played, playRun } from '../../../cli/try/play-run.ts';
import { readPlanFile, readRun, readRunFiles } from '../../../cli/try/run-file.ts';
import { isAsExpected } from '../../../cli/try/try-verified.ts';
import type { SandboxKeys } from '../../../launch/sandbox-keys.ts';
import type { Client } from './client.ts';

/** Error codes that are allowed while parts of the product are down. */
const INTERRUPTIONS: readonly string[] = ['OVERLOADED', 'SERVICE_UNAVAILABLE', 'UPSTREAM_FAILURE', 'UPSTREAM_TIMEOUT'];

const plan = readPlanFile();
const runs = Array.from(readRunFiles());

/** An agent that plays an honest or dishonest run of verified execution. */
export async function playVerified({ origins, books, random }: Client, keys: SandboxKeys): Promise<void> {
  const [first, ...others] = runs;
  if (first === undefined) throw new Error('there are no runs');
  const [name, text] = random.pick([first, ...others]);
  const run = readRun(text, randomBytes(4).toString('hex'));
  const origin = random.pick(origins);
  const player = { agent: createApi(origin, keys.agent), approver: createApi(origin, keys.approver), onStep: () => {} };
  let played: Played | undefined;
  for (let time = 0; time < (run.times ?? 1); time += 1) {
    played = await playRun(plan, run, player).catch(interrupted);
    if (played === undefined || isInterrupted(played)) return books.count('verified run', 'interrupted');
  }
  if (played === undefined) return;
  books.count('verified run', played.at === 'proof' ? 'proven' : 'refused');
  if (!isAsExpected(played, run.expect)) books.contradict(`the verified run ${name} ended elsewhere`, { played, run });
  if (played.proofId !== undefined) books.proofs.push({ proofId: played.proofId, run: name });
}

/** Ignores a broken connection or an incomplete answer. @throws {ApiError} any other error */
function interrupted(error: unknown): undefined {
  if (error instanceof ApiError) throw error;
  return undefined;
}

/** True if a part of the product was down, or if the verdict was not reached in time. Neither proves anything. */
function isInterrupted({ code, verdict }: Played): boolean {
  return (code !== undefined && INTERRUPTIONS.includes(code)) || verdict === 'engine_error' || verdict === 'unknown';
}
