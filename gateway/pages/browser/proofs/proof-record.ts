import { digestOf } from '../../../../services/verification/contract/proof/digest.ts';
import { type Api, ApiError } from '../page/api.ts';
import { element } from '../page/dom.ts';
import { ed25519Notice, lacksEd25519, whyNotHere } from './environment.ts';
import { saveLinks } from './files.ts';
import { logMemory } from './log-memory.ts';
import { logReader, readServerKeys } from './log-reader.ts';
import type { ValidProof, VerifyOptions } from './report.ts';
import type { PlanOfProof } from './show-proof.ts';
import { showReport } from './show-report.ts';
import { verify } from './verify.ts';

/** Reads a proof of this server and verifies it here. The id may be that of an execution. */
export async function showProofRecord(api: Api, id: string): Promise<readonly HTMLElement[]> {
  const found = await readProof(api, id);
  if (found instanceof HTMLElement) return [found];
  const keys = await readServerKeys();
  const notHere = whyNotHere();
  const files = [['proof.json', found] as const, ['keys.json', keys] as const];
  if (notHere !== undefined) return [notHere, saveLinks(files)];
  const options: VerifyOptions = { proof: found, keys, keysOf: 'server', log: logReader, memory: logMemory };
  try {
    const report = await verify(options);
    const plan = report.valid === undefined ? undefined : await readPlan(api, report.valid);
    return showReport(report, { isHere: true, plan, verified: options });
  } catch (error) {
    if (lacksEd25519(error)) return [ed25519Notice(), saveLinks(files)];
    throw error;
  }
}

/** The bytes of a proof, or why there is none yet. */
async function readProof(api: Api, id: string): Promise<Uint8Array<ArrayBuffer> | HTMLElement> {
  try {
    return await api.readBytes(`/proofs/${encodeURIComponent(id)}`);
  } catch (error) {
    const execution = isMissing(error) ? await readExecution(api, id) : undefined;
    if (execution === undefined) throw error;
    const { state, proof_id } = execution;
    if (typeof proof_id === 'string') return api.readBytes(`/proofs/${encodeURIComponent(proof_id)}`);
    return notReady(id, String(state));
  }
}

const isMissing = (error: unknown): boolean => error instanceof ApiError && error.code === 'NOT_FOUND';

async function readExecution(api: Api, id: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    return Object(await api.readJson(`/executions/${encodeURIComponent(id)}`));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function notReady(id: string, state: string): HTMLElement {
  const why =
    state === 'refuted'
      ? 'It was refuted: there will be no proof of it.'
      : 'A proof is made when its verification finds that everything was as planned.';
  return element(
    'p',
    { class: 'note', role: 'status' },
    element('strong', {}, 'No proof yet. '),
    `This is an execution, and it is ${state.replaceAll('_', ' ')}. ${why} `,
    element('a', { href: `/executions/${encodeURIComponent(id)}` }, 'Open the execution'),
    '.',
  );
}

/** The plan of a proof as this server shows it. Undefined if the key cannot read it. */
async function readPlan(api: Api, { statement }: ValidProof): Promise<PlanOfProof | undefined> {
  const subject = statement.subject.find(({ name }) => name.startsWith('plan/'));
  if (subject === undefined) return undefined;
  try {
    const { plan } = Object(await api.readJson(`/plans/${encodeURIComponent(subject.name.slice('plan/'.length))}`));
    const title = typeof plan?.title === 'string' ? plan.title : undefined;
    return { title, hasHash: (await digestOf('plan', plan)) === subject.digest.sha256 };
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
