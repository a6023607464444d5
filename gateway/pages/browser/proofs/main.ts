import { openRecordForm } from '../page/record-form.ts';
import { openFileForm } from './proof-file-form.ts';
import { showProofRecord } from './proof-record.ts';

// Pages of proofs: a proof of this server, or a proof file of anybody, is verified in the browser.

openRecordForm(() => showProofRecord);
const fileForm = document.querySelector('#verify-file');
if (fileForm instanceof HTMLFormElement) openFileForm(fileForm);
