import { type Api, ApiError } from '../page/api.ts';
import { codeBlock, element } from '../page/dom.ts';
import { term } from '../page/terms.ts';
import { type Remark, remarks } from './parts.ts';

interface Action {
  readonly seq: number;
  readonly action_id: string;
  readonly action: {
    readonly step_id: string;
    readonly tool: string;
    readonly tool_version: string;
    readonly args: object;
    readonly outcome?: string;
    readonly error?: string;
    readonly response?: unknown;
    readonly started_at: string;
    readonly ended_at: string;
  };
}

interface Artifact {
  readonly action_id: string;
  readonly kind: string;
  readonly media_type: string;
  readonly sha256: string;
  readonly size: number;
  readonly replaced_by: string | null;
}

interface Execution {
  readonly execution_id: string;
  readonly plan_id: string;
  readonly state: string;
  readonly refused?: readonly Remark[];
  readonly received_at: string;
  readonly actions: readonly Action[];
  readonly artifacts: readonly Artifact[];
  readonly missing: readonly { readonly action_id: string; readonly kind: string; readonly min: number }[];
  readonly verifications: readonly string[];
  readonly proof_id: string | null;
}

interface Verification {
  readonly verdicts: Readonly<Record<string, { readonly verdict: string; readonly reasons: readonly Remark[] }>>;
}

/** The actions in order with their evidence, and the verdicts. A reason leads to the action that it is about. */
export async function showExecution(api: Api, id: string): Promise<readonly HTMLElement[]> {
  const execution = (await api.readJson(`/executions/${encodeURIComponent(id)}`)) as Execution;
  const last = execution.verifications.at(-1);
  const verification = last === undefined ? undefined : await readVerification(api, last);
  return [facts(execution), ...refusal(execution), ...verdicts(verification), timeline(execution, verification)];
}

/** A key may read an execution and not its verification. */
async function readVerification(api: Api, id: string): Promise<Verification | undefined> {
  try {
    return (await api.readJson(`/verifications/${encodeURIComponent(id)}`)) as Verification;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

function facts({ state, plan_id, received_at, proof_id, missing }: Execution): HTMLElement {
  const kind = state === 'verified' ? 'good' : state === 'refuted' ? 'bad' : 'warn';
  return element(
    'dl',
    { class: 'facts' },
    ...term('State', element('span', { class: `state ${kind}` }, state.replaceAll('_', ' '))),
    ...term('Plan', element('a', { href: `/plans/${plan_id}` }, plan_id)),
    ...term('Recorded', `${received_at.slice(0, 19)} UTC`),
    ...term('Evidence missing', String(missing.length)),
    ...term('Proof', proof_id === null ? 'none' : element('a', { href: `/proofs/${proof_id}` }, proof_id)),
  );
}

/** Why it was refuted when it was recorded. */
function refusal({ refused = [] }: Execution): readonly HTMLElement[] {
  if (refused.length === 0) return [];
  const note = 'This was done beyond what was approved. It is kept, and will have no proof.';
  return [
    element('h2', {}, 'Why it is refuted'),
    element('p', { class: 'bad' }, note),
    element('ul', {}, ...refused.map(reason)),
  ];
}

function verdicts(verification: Verification | undefined): readonly HTMLElement[] {
  if (verification === undefined) return [element('p', { class: 'note' }, 'The execution was not verified yet.')];
  const rows = Object.entries(verification.verdicts).map(([check, { verdict, reasons }]) =>
    element(
      'li',
      {},
      element('strong', {}, check.replaceAll('_', ' ')),
      ' ',
      element('span', { class: `state ${verdict === 'satisfied' ? 'good' : 'bad'}` }, verdict),
      element('ul', {}, ...reasons.map(reason)),
    ),
  );
  return [element('h2', {}, 'Verdicts'), element('ul', { class: 'verdicts' }, ...rows)];
}

function reason({ code, path, message }: Remark): HTMLElement {
  const seq = /^\/actions\/([0-9]+)/.exec(path)?.[1];
  const place = element('code', {}, path);
  const where = seq === undefined ? place : element('a', { href: `#action-${seq}` }, place);
  return element('li', {}, element('strong', {}, code), ' ', where, ` ${message}`);
}

function timeline({ actions, artifacts, missing }: Execution, verification: Verification | undefined): HTMLElement {
  const reasons = Object.values(verification?.verdicts ?? {}).flatMap((one) => one.reasons);
  const items = actions.map(({ seq, action_id, action }) => {
    const { step_id, tool, tool_version, started_at, ended_at, outcome, error, ...sent } = action;
    const own = artifacts.filter((one) => one.action_id === action_id && one.replaced_by === null);
    const wanted = missing.filter((one) => one.action_id === action_id);
    const broken = reasons.filter(({ path }) => path === `/actions/${seq}` || path.startsWith(`/actions/${seq}/`));
    return element(
      'li',
      { id: `action-${seq}`, class: broken.length > 0 ? 'broken' : 'kept' },
      element('h3', {}, `${seq + 1}. ${step_id}`),
      element(
        'p',
        {},
        element('code', {}, `${tool}@${tool_version}`),
        ` ${started_at.slice(0, 19)} to ${ended_at.slice(11, 19)} UTC`,
      ),
      ...(outcome === undefined
        ? []
        : [element('p', { class: 'warn' }, `Reported as ${outcome}${error === undefined ? '' : `: ${error}`}`)]),
      remarks('What is wrong', broken),
      element(
        'details',
        {},
        element('summary', {}, 'Arguments and response'),
        codeBlock(JSON.stringify(sent, null, 2)),
      ),
      element(
        'ul',
        {},
        ...own.map(({ kind, media_type, size, sha256 }) =>
          element('li', {}, `Evidence ${kind}: ${media_type}, ${size} bytes, `, element('code', {}, sha256)),
        ),
        ...wanted.map(({ kind, min }) => element('li', { class: 'warn' }, `Missing: ${min} × ${kind}`)),
      ),
    );
  });
  return element(
    'section',
    { 'aria-label': 'Actions' },
    element('h2', {}, 'Actions'),
    element('ol', { class: 'timeline' }, ...items),
  );
}
