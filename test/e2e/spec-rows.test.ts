import { fileURLToPath } from 'node:url';
import test from 'ava';
import { operations } from '../../gateway/operations/index.ts';
import { readSources } from '../../scripts/checks/imports/graph.ts';
import { TRIAL_STATUSES } from '../../services/ledger/contract/trial-terms.ts';
import { PUBLIC_CODES } from '../../services/platform/errors/code-lists.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const tests = [...readSources(ROOT, ['test'])].filter(([path]) => path.endsWith('.test.ts')).map(([, text]) => text);

/** Rows of the tables in the API's specification, and the text by which a test names one. */
for (const row of [
  ...operations.map(({ name }) => name),
  ...PUBLIC_CODES.map((code) => `'${code}'`),
  ...TRIAL_STATUSES.map((status) => `'${status}'`),
  ...['x-access-mode', 'x-trial-status', 'x-trial-balance-atomic', 'x-trial-accounting-status', 'x-request-id'],
  ...['payment-required', 'payment-response', 'payment-signature', 'sign-in-with-x'].map((name) => `'${name}'`),
]) {
  test(`a test names ${row}`, (t) => {
    t.true(tests.some((text) => text.includes(row)));
  });
}
