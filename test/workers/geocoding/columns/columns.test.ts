import test from 'ava';
import { defined } from '../../../../workers/exact/defined.ts';
import {
  columnOf,
  decodeColumns,
  encodeColumns,
  encodeLines,
  readLines,
} from '../../../../workers/geocoding/columns/columns.ts';

const TABLE = {
  odd: Uint8Array.of(1, 2, 3),
  wide: Uint32Array.of(0, 0xffff_ffff),
  signed: Int32Array.of(-1, 2 ** 31 - 1),
  short: Uint16Array.of(65_535),
  none: new Uint32Array(),
};

test('encoded columns of any width are decoded unchanged', (t) => {
  t.deepEqual(decodeColumns(encodeColumns(TABLE).buffer), TABLE);
});

test('columns are read from shared memory', (t) => {
  const block = encodeColumns(TABLE);
  const shared = new SharedArrayBuffer(block.length);
  new Uint8Array(shared).set(block);
  const { wide } = decodeColumns(shared);
  t.is(wide?.buffer, shared);
  t.deepEqual([...defined(wide)], [...TABLE.wide]);
});

test('the error for a column that is missing or of another type names the column', (t) => {
  t.throws(() => columnOf(TABLE, 'wide', Int32Array), { message: /no column wide of Int32Array/ });
  t.throws(() => columnOf(TABLE, 'absent', Uint8Array), { message: /absent/ });
});

test('text is read by row, including empty rows', (t) => {
  const rows = ['', 'Zürich', '東京', ''];
  const lines = readLines(encodeLines(rows));
  t.is(lines.count, rows.length);
  t.deepEqual(
    rows.map((_, row) => lines.at(row)),
    rows,
  );
  t.throws(() => lines.at(rows.length), { instanceOf: TypeError });
});
