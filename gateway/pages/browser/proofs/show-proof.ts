import type { Statement } from '../../../../services/verification/contract/proof/statement.ts';
import { codeBlock, element } from '../page/dom.ts';
import { term } from '../page/terms.ts';
import { leaves, type ValidProof } from './report.ts';

type Verdicts = Statement['predicate']['verdicts'];
type CheckOfRun = keyof Verdicts;

/** The checks of the service, in their order. */
const CHECKED = ['plan_alignment', 'constraints', 'evidence', 'replay'] as const;

/** What a check means, in one sentence. */
const MEANINGS: Readonly<Record<CheckOfRun, string>> = {
  plan_alignment: 'Every action is a step that the plan allows, in the order and as often as it allows.',
  constraints: 'The run as a whole keeps the rules of the plan.',
  evidence: 'Every piece of evidence that the plan asks for is stored, and agrees with the actions.',
  replay: 'Computed again, the actions have the results that were recorded.',
};

/** The plan of a proof, as this server shows it. */
export interface PlanOfProof {
  readonly title: string | undefined;
  readonly hasHash: boolean;
}

export interface ShowProofOptions {
  /** Whether the records are at this server, so that links lead to them. */
  readonly isHere: boolean;
  readonly plan?: PlanOfProof | undefined;
}

/** What a valid proof says, what it does not say, and who says it. */
export function showProof(
  { statement, file, checkpoint }: ValidProof,
  options: ShowProofOptions,
): readonly HTMLElement[] {
  const { predicate, subject } = statement;
  const [tenant, plan, execution, ...artifacts] = subject;
  const [{ keyid }] = file.envelope.signatures;
  return [
    element('h2', {}, 'What was proven'),
    element(
      'p',
      {},
      'The acts that the agent reported in ',
      recordLink(execution?.name, options.isHere),
      ' were what ',
      recordLink(plan?.name, options.isHere),
      ' allows.',
    ),
    ...planNote(options.plan),
    element('ul', { class: 'verdicts' }, ...CHECKED.map((check) => verdict(check, predicate.verdicts[check]))),
    element(
      'dl',
      { class: 'facts' },
      ...term('Approved', instant(predicate.approved_at)),
      ...term('Recorded', instant(predicate.received_at)),
      ...term('Verified', instant(predicate.verified_at)),
      ...term('Evidence', artifacts.length === 1 ? '1 artifact' : `${artifacts.length} artifacts`),
      ...term('Tenant', element('code', {}, nameOf(tenant?.name))),
      ...term('Engine', element('code', {}, predicate.versions.engine)),
    ),
    ...scope(predicate),
    element('h2', {}, 'Who signed'),
    element(
      'dl',
      { class: 'facts' },
      ...term('Key of the issuer', element('code', {}, keyid)),
      ...term('Log', element('code', {}, checkpoint.origin)),
      ...term('Place in the log', `leaf ${file.log.index} of a tree of ${leaves(checkpoint.size)}`),
      ...term('Root of the tree', element('code', {}, base64(checkpoint.root))),
      ...term('Head signed', `with the proof, ${instant(predicate.verified_at)}`),
    ),
    element(
      'details',
      {},
      element('summary', {}, 'The whole statement'),
      codeBlock(JSON.stringify(statement, null, 2)),
    ),
  ];
}

function recordLink(name = '', isHere: boolean): HTMLElement {
  const [kind = '', id = ''] = name.split('/');
  const text = element('code', {}, id);
  return element(
    'span',
    {},
    `${kind} `,
    isHere ? element('a', { href: `/${kind}s/${encodeURIComponent(id)}` }, text) : text,
  );
}

function planNote(plan: PlanOfProof | undefined): readonly HTMLElement[] {
  if (plan === undefined) return [];
  const name = plan.title === undefined ? 'The plan' : `The plan “${plan.title}”`;
  return plan.hasHash
    ? [element('p', { class: 'good' }, `${name} that this server shows has the hash that is in the proof.`)]
    : [
        element(
          'p',
          { class: 'bad', role: 'alert' },
          `${name} that this server shows is not the one in the proof: its hash is another.`,
        ),
      ];
}

function verdict(check: CheckOfRun, { verdict: found, engine }: Verdicts[CheckOfRun]): HTMLElement {
  return element(
    'li',
    {},
    element('strong', {}, check.replaceAll('_', ' ')),
    ' ',
    element('span', { class: 'state good' }, found),
    element('p', {}, `${MEANINGS[check]} Decided by ${engine}.`),
  );
}

function scope({ assurance, limitation }: Statement['predicate']): readonly HTMLElement[] {
  const { recomputed, modelled, recorded, ghost_states: ghosts = [], reported_times: areTimes = false } = assurance;
  const { failed = 0, unknown = 0 } = assurance;
  const items = [
    ...(failed === 0 ? [] : [`${actions(failed)} reported as failed. The run passes also if they took effect.`]),
    ...(unknown === 0
      ? []
      : [`${actions(unknown)} reported with an unknown outcome. The run passes whether or not they took effect.`]),
    `${actions(recomputed)} computed again, with the same result.`,
    `${actions(modelled)} followed with the plan's own model of its effects.`,
    `${actions(recorded)} only recorded: the response is the agent's word.`,
    ...(ghosts.length === 0 ? [] : [`No tool shows the state ${ghosts.join(', ')}: it follows from the plan alone.`]),
    ...(areTimes ? ['Some rules depend on times that the agent reported.'] : []),
  ];
  return [
    element('h2', {}, 'How far it goes'),
    element('ul', {}, ...items.map((text) => element('li', {}, text))),
    element('h2', {}, 'What is not proven'),
    element(
      'ul',
      {},
      element('li', {}, limitation),
      element(
        'li',
        {},
        "The verdicts are the issuer's word until they are worked out again from the records, with the command below.",
      ),
      element(
        'li',
        {},
        'A log can show different people different trees. A browser notices it only for what it saw itself.',
      ),
    ),
  ];
}

const actions = (count: number): string => (count === 1 ? '1 action was' : `${count} actions were`);
const instant = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;
const nameOf = (name = ''): string => name.slice(name.indexOf('/') + 1);
const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
