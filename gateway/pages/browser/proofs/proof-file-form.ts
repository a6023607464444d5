import { ProofError } from '../../../../services/verification/contract/proof/proof-error.ts';
import { MAX_PROOF_BYTES } from '../../../../services/verification/contract/proof/verify-proof-file.ts';
import { element, find } from '../page/dom.ts';
import { describeError } from '../page/record-form.ts';
import { ed25519Notice, lacksEd25519, whyNotHere } from './environment.ts';
import { readChosen } from './files.ts';
import { logMemory } from './log-memory.ts';
import { type LogReader, logReader, readServerKeys } from './log-reader.ts';
import type { VerifyOptions } from './report.ts';
import { showReport } from './show-report.ts';
import { verify } from './verify.ts';

const MAX_KEY_BYTES = 65_536;

/** Lets a person choose or drop a proof file. It is verified in this browser, and sent nowhere. */
export function openFileForm(form: HTMLFormElement): void {
  const proofInput = find('#proof-file', HTMLInputElement);
  const keyInput = find('#key-file', HTMLInputElement);
  // Read before a file is chosen, so that choosing one sends nothing.
  const serverKeys = readServerKeys();
  serverKeys.catch(() => {});
  form.hidden = false;
  let runs = 0;
  const run = (file: File | undefined, { log, keyFile = keyInput.files?.[0] }: Partial<Given> = {}) => {
    if (file === undefined) return;
    runs += 1;
    const own = runs;
    // A person may choose another file before the first is verified.
    const showIfLast = (...parts: readonly Node[]) => {
      if (own !== runs) return;
      show(...parts);
      find('#record', HTMLElement).scrollIntoView();
    };
    show(element('p', {}, `Verifying ${file.name} …`));
    verifyFile(file, { keyFile, serverKeys, log, askLog: () => run(file, { log: logReader }) })
      .then((parts) => showIfLast(element('p', { class: 'file' }, 'File ', element('code', {}, file.name)), ...parts))
      .catch((error: unknown) => showIfLast(failure(error)));
  };
  let last: File | undefined;
  const choose = (files: FileList | null | undefined) => {
    last = files?.[0];
    if ((files?.length ?? 0) > 1) show(failure('Choose one file at a time.'));
    else run(last);
  };
  proofInput.addEventListener('change', () => choose(proofInput.files));
  keyInput.addEventListener('change', () => run(last));
  acceptDrops(form, (files) => choose(files));
  const checkSample = () => {
    if (location.hash !== '#sample') return;
    Promise.all([readSample('proof.json'), readSample('keys.json')])
      .then(([proof, keyFile]) => run(proof, { keyFile }))
      .catch((error: unknown) => show(failure(error)));
  };
  window.addEventListener('hashchange', checkSample);
  checkSample();
}

/** A file of the sample, whose keys are no server's. */
async function readSample(name: string): Promise<File> {
  const answer = await fetch(`/docs/verified-execution/sample/${name}`);
  return new File([await answer.arrayBuffer()], name);
}

/** A file that is dropped beside the form must not replace the page. */
function acceptDrops(form: HTMLFormElement, take: (files: FileList | undefined) => void): void {
  document.addEventListener('dragover', (event) => {
    event.preventDefault();
    form.classList.toggle('over', event.target instanceof Node && form.contains(event.target));
  });
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    form.classList.remove('over');
    if (event.dataTransfer?.files.length) take(event.dataTransfer.files);
  });
}

const show = (...parts: readonly Node[]): void => find('#record', HTMLElement).replaceChildren(...parts);

const failure = (error: unknown): HTMLElement =>
  element('p', { class: 'bad', role: 'alert' }, typeof error === 'string' ? error : describeError(error));

interface Given {
  readonly keyFile: File | undefined;
  readonly serverKeys: Promise<Uint8Array<ArrayBuffer>>;
  readonly log: LogReader | undefined;
  readonly askLog: () => void;
}

async function verifyFile(file: File, given: Given): Promise<readonly HTMLElement[]> {
  const notHere = whyNotHere();
  if (notHere !== undefined) return [notHere];
  const proof = await readChosen(file, MAX_PROOF_BYTES);
  if ('says' in proof) return [failure(proof.says)];
  const keys = given.keyFile === undefined ? await given.serverKeys : await readChosen(given.keyFile, MAX_KEY_BYTES);
  if ('says' in keys) return [failure(keys.says)];
  const keysOf = given.keyFile === undefined ? 'server' : 'file';
  const verified: VerifyOptions = { proof, keys, keysOf, log: given.log, memory: logMemory };
  try {
    const report = await verify(verified);
    const canAsk = keysOf === 'server' && given.log === undefined;
    return showReport(report, { isHere: keysOf === 'server', verified, askLog: canAsk ? given.askLog : undefined });
  } catch (error) {
    if (lacksEd25519(error)) return [ed25519Notice()];
    if (error instanceof ProofError) return [failure(`The key file cannot be used: ${error.message} (${error.code}).`)];
    throw error;
  }
}
