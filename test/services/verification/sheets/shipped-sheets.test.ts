import test from 'ava';
import { createJsonReader } from '../../../../scripts/launch/parse/json-reader.ts';
import { digestRecord } from '../../../../services/verification/proof/digests.ts';
import { SHIPPED_SHEETS } from '../../../../services/verification/sheets/shipped-sheets.ts';
import { SheetDocument } from '../../../../workers/exact/sheet-schema.ts';
import { hashSheetText } from '../../../../workers/plan/read/read-sheet.ts';
import { checkSheet } from '../../../../workers/verdict/sheets/check-sheet.ts';
import { composeSheets } from '../../../../workers/verdict/sheets/compose-sheets.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';

const readSheet = createJsonReader(SheetDocument, 'a shipped sheet');
const by = { solver: await sharedZ3(), rlimit: DEFAULT_RLIMIT };

/** Plans name sheets by these hashes. A shipped sheet is never changed or removed: a changed sheet is a new version. */
const HASHES: Readonly<Record<string, string>> = {
  'tollhouse.allow-list@1.0.0': '1102415171d0df58d46ea6ddf7cebca4cf77a4c6f285b68c33229154d267e855',
  'tollhouse.approval-threshold@1.0.0': '0fbf1e852d29beb97eae6eb398aa473a24a31715a50d3d152e078b8fb61660a0',
  'tollhouse.balanced-split@1.0.0': '5216dd66fc84ba640858ad6328299a6015e70f92cae5d6bf829504b3ee9a567f',
  'tollhouse.date-window@1.0.0': '6cd45a49ccfde1833216ee1b9e8a2665ab850398ff124370739ccafa159eacf5',
  'tollhouse.quota@1.0.0': 'fd07f3096fb41a84f826dd8324491ff191be52f2da5020f3df503ae5021172df',
  'tollhouse.spend-cap@1.0.0': 'ff3bfd34326875a087203f5c0433307fd3aaa86dd46e2d4e7eb60b5a46ad82d0',
};

test('shipped sheets never change', (t) => {
  const hashes = SHIPPED_SHEETS.map(({ name, version, sha256 }) => [`${name}@${version}`, sha256]);
  t.deepEqual(Object.fromEntries(hashes), HASHES);
});

test('the solver computes the same hash from the text of a sheet', (t) => {
  for (const { document, sha256 } of SHIPPED_SHEETS) {
    t.is(hashSheetText(document), sha256);
    t.is(digestRecord('sheet', JSON.parse(document)), sha256);
  }
});

test('every shipped sheet can be satisfied, has no lint remarks, and has no redundant constraint', (t) => {
  for (const { name, document } of SHIPPED_SHEETS) {
    const sheet = readSheet(document);
    t.like(checkSheet(sheet, by), { judgement: { verdict: 'satisfied' }, lint: [] }, name);
    const { outcome, redundant } = composeSheets([sheet], { name, version: '1.0.0', title: 'One' }, by);
    t.deepEqual([outcome, redundant], ['consistent', []], name);
  }
});
