import type { ProofCode } from '../../../../services/verification/contract/proof/proof-error.ts';
import { element } from '../page/dom.ts';
import { ADVICE, type Check, TITLES } from './checks.ts';
import type { Report } from './report.ts';

const LOOKS = { passed: 'good', failed: 'bad', open: 'warn', 'not done': 'soft' } as const;

const MARKS = { passed: 'kept', failed: 'broken', open: 'unsure', 'not done': 'undone' } as const;

/** The outcome of a verification, in one sentence. */
export const showVerdict = ({ checks, fault, valid }: Report): HTMLElement =>
  fault === undefined ? verdict(checks) : refusal(fault, valid !== undefined);

/** Each check, with what it found. */
export const showChecks = ({ checks }: Report): readonly HTMLElement[] => [
  element('h2', {}, 'What this browser checked'),
  element('ol', { class: 'timeline checks' }, ...checks.map(item)),
];

function verdict(checks: readonly Check[]): HTMLElement {
  const isOpen = checks.some(({ outcome }) => outcome === 'open');
  const says = isOpen
    ? 'The signatures and the place in the log are valid. One check is open:'
    : 'The signatures, the place in the log and the log itself were verified in this browser.';
  const history = checks.find(({ name }) => name === 'history')?.says ?? [];
  return element(
    'div',
    { class: 'verdict valid', role: 'status' },
    element('p', { class: 'good' }, element('strong', {}, 'Valid. '), says),
    ...history.map((text) => element('p', {}, text)),
  );
}

function refusal({ code, message }: NonNullable<Report['fault']>, isLog: boolean): HTMLElement {
  const advice = ADVICE[code];
  return element(
    'div',
    { class: 'verdict bad', role: 'alert' },
    element('p', {}, element('strong', {}, isLog ? headingOf(code) : 'Not valid. '), `${capital(message)}.`),
    ...(advice === undefined ? [] : [element('p', {}, advice)]),
    element('p', {}, 'Code ', element('code', {}, code)),
  );
}

const headingOf = (code: ProofCode): string =>
  code === 'INCONSISTENT' || code === 'LOG_SHRUNK' ? 'The log contradicts itself. ' : 'Do not rely on this log. ';

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function item({ name, outcome, says }: Check): HTMLElement {
  return element(
    'li',
    { class: MARKS[outcome] },
    element('h3', {}, `${TITLES[name]} `, element('span', { class: `state ${LOOKS[outcome]}` }, outcome)),
    ...says.map((text) => element('p', {}, capital(text))),
  );
}
