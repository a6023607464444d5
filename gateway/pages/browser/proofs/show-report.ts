import { element } from '../page/dom.ts';
import { saveLinks } from './files.ts';
import { logMemory } from './log-memory.ts';
import type { Report, VerifyOptions } from './report.ts';
import { showChecks, showVerdict } from './show-checks.ts';
import { type ShowProofOptions, showProof } from './show-proof.ts';

export interface ShowReportOptions extends ShowProofOptions {
  readonly verified: VerifyOptions;
  /** Verifies again, and asks the log of this server. Undefined if it was asked. */
  readonly askLog?: (() => void) | undefined;
}

/** A verification: its checks, what the proof says if it is valid, and the files. */
export function showReport(report: Report, options: ShowReportOptions): readonly HTMLElement[] {
  const { valid, fault } = report;
  const { proof, keys } = options.verified;
  return [
    element('h2', { class: 'first', tabindex: '-1' }, 'Outcome'),
    showVerdict(report),
    ...askAgain(report, options.askLog),
    ...forgetLog(report),
    ...(valid === undefined || fault !== undefined ? [] : showProof(valid, options)),
    ...showChecks(report),
    element('h2', {}, 'The files'),
    saveLinks([
      ['proof.json', proof],
      ['keys.json', keys],
      ...(valid === undefined ? [] : [['checkpoint.txt', valid.file.log.checkpoint] as const]),
    ]),
  ];
}

function askAgain({ checks, fault }: Report, askLog: (() => void) | undefined): readonly HTMLElement[] {
  const isOpen = fault === undefined && checks.some(({ outcome }) => outcome === 'open');
  if (!isOpen || askLog === undefined) return [];
  const button = element('button', { type: 'button', class: 'quiet' }, 'Ask the log of this server');
  button.addEventListener('click', askLog);
  return [element('p', {}, button, ' It learns only the sizes of the trees, not the proof.')];
}

/** After a fault in the history, a person can begin again with the log. */
function forgetLog({ checks, fault, valid }: Report): readonly HTMLElement[] {
  const isHistory = checks.some(({ name, outcome }) => name === 'history' && outcome === 'failed');
  if (fault === undefined || valid === undefined || !isHistory) return [];
  const { origin } = valid.checkpoint;
  const button = element('button', { type: 'button', class: 'quiet' }, 'Forget what this browser saw of the log');
  const says = element('span', { role: 'status' });
  button.addEventListener('click', () => {
    logMemory.forget(origin);
    button.disabled = true;
    says.textContent = ' Forgotten. The next proof begins a new memory.';
  });
  return [element('p', {}, button, says)];
}
