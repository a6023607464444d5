import { readdirSync } from 'node:fs';
import { WireType } from '@bufbuild/protobuf/wire';
import test from 'ava';
import { importPlaces } from '../../../../../../scripts/cli/tollhouse/places/import-places.ts';
import { ImportError } from '../../../../../../scripts/cli/tollhouse/places/sources/address-row.ts';
import { openAddressSet } from '../../../../../../workers/geocoding/addresses/address-set.ts';
import { fc } from '../../../../../kit/fast-check.ts';
import { CSV } from '../addresses.ts';
import { createImportCases, first } from '../import-case.ts';
import { MADE_MAP } from '../made-map.ts';
import { blobOf, fileBlock, message, writePbf } from '../write-pbf.ts';

const { prepare, close } = createImportCases();
test.after.always(close);

const PBF = 'osm.pbf';
const GOOD = writePbf(MADE_MAP);
const HEADER = writePbf({});

const bytes = (field: number, content: Uint8Array) =>
  message((writer) => writer.tag(field, WireType.LengthDelimited).bytes(content));
const block = (...parts: readonly Uint8Array[]) => Buffer.concat([HEADER, fileBlock('OSMData', Buffer.concat(parts))]);
const text = (content: string | Uint8Array) => bytes(1, Buffer.from(content));

/** A node with one tag, whose key and value are these texts of the table. */
function tagged(table: Uint8Array, key: number, value: number): Buffer {
  const node = message((writer) => {
    writer.tag(1, WireType.Varint).sint64(1);
    writer.tag(2, WireType.LengthDelimited).bytes(Uint8Array.of(key));
    writer.tag(3, WireType.LengthDelimited).bytes(Uint8Array.of(value));
    writer.tag(8, WireType.Varint).sint64(505_000_000);
    writer.tag(9, WireType.Varint).sint64(87_000_000);
  });
  return block(bytes(1, table), bytes(2, bytes(1, node)));
}

const NAMES = Buffer.concat([text(''), text('name'), text('Seestadt')]);
const dense = (field: number, content: Uint8Array) => block(bytes(1, NAMES), bytes(2, bytes(2, bytes(field, content))));

const faults: readonly (readonly [what: string, content: Buffer, message: RegExp])[] = [
  ['an empty file', Buffer.alloc(0), /:1: the file is empty$/],
  [
    'text with the ending of PBF',
    Buffer.from('LON,LAT,NUMBER,STREET\n'),
    /:block 0: the file does not begin with the header/,
  ],
  ['a few bytes', Buffer.from([0, 0]), /:block 0: the file is cut$/],
  ['XML with the ending of PBF', Buffer.from('<osm version="0.6"></osm>'), /:block 0: the file does not begin with/],
  ['data without a header', fileBlock('OSMData', Buffer.alloc(0)), /:block 0: the file does not begin with the header/],
  ['a file that is cut in a blob', GOOD.subarray(0, -10), /:block 3: the file is cut$/],
  ['a file that is cut in a header', GOOD.subarray(0, HEADER.length + 6), /:block 1: the file is cut$/],
  ['a header only', HEADER, /:1: there are no addresses$/],
  [
    'a blob that is declared too large',
    Buffer.concat([HEADER, blobOf('OSMData', Buffer.alloc(4), 2 ** 31 - 1)]),
    /:block 1: it has 2147483647 bytes, and a block has at most 33554432$/,
  ],
  [
    'a header that is declared too large',
    Buffer.concat([GOOD, Buffer.from([0x7f, 0xff, 0xff, 0xff])]),
    /:block 4: the length of its header is 2147483647 bytes, and a header has at most 65536$/,
  ],
  [
    'a blob that is larger than 32 MiB when it is uncompressed',
    Buffer.concat([HEADER, fileBlock('OSMData', Buffer.alloc(33 * 1024 * 1024))]),
    /:block 1: it has more than 33554432 bytes when it is uncompressed$/,
  ],
  [
    'a blob with another size than it says',
    Buffer.concat([HEADER, blobOf('OSMData', Buffer.concat([message((w) => w.tag(2, 0).int32(9)), text('abc')]))]),
    /:block 1: it has 3 bytes, and should have 9$/,
  ],
  ['a blob without data', Buffer.concat([HEADER, blobOf('OSMData', Buffer.alloc(0))]), /:block 1: it has no data$/],
  [
    'zlib data that are broken',
    Buffer.concat([HEADER, blobOf('OSMData', bytes(3, Buffer.from('not zlib')))]),
    /:block 1: incorrect header check$/,
  ],
  ...(['lzma', 'bzip2', 'lz4', 'zstd'] as const).map(
    (name, index) =>
      [
        name,
        Buffer.concat([HEADER, blobOf('OSMData', bytes(4 + index, Buffer.from('x')))]),
        new RegExp(`:block 1: it is compressed with ${name}; zlib and no compression can be read$`),
      ] as const,
  ),
  [
    'a file that needs an unknown feature',
    writePbf(MADE_MAP, { requiredFeatures: ['OsmSchema-V0.6', 'HistoricalInformation'] }),
    /:block 0: the file needs HistoricalInformation, which cannot be read$/,
  ],
  ['a text that is not in the table', tagged(NAMES, 1, 7), /:block 1: it has 3 texts, and no text 7$/],
  ['a key that is not in the table', tagged(NAMES, 9, 2), /:block 1: it has 3 texts, and no text 9$/],
  [
    'a text that is not UTF-8',
    tagged(Buffer.concat([text(''), text('name'), text(Uint8Array.of(0xff))]), 1, 2),
    /:block 1: The encoded data was not valid for encoding utf-8$/,
  ],
  ['a number of more than ten bytes', dense(1, Buffer.alloc(11, 0xff)), /:block 1: a number has more than ten bytes$/],
  ['nodes without coordinates', dense(1, Uint8Array.of(2, 2)), /:block 1: a list of numbers is cut$/],
];
for (const [what, content, expected] of faults) {
  test(`${what} is refused with the file and the block, and the old set stays`, async (t) => {
    const { at, folder, load } = prepare(content, PBF);
    await importPlaces(folder, 'own', [prepare(CSV).file], () => undefined);
    await t.throwsAsync(load, { instanceOf: ImportError, message: expected });
    t.is(
      first(openAddressSet(folder.fileOf('own')), '10 Avenue du Maréchal Foch'),
      '10 Avenue du Maréchal Foch, Dijon',
    );
    t.deepEqual(readdirSync(at), ['own.places']);
  });
}

test('a file that is cut or changed anywhere is read or refused with a place, and nothing else happens', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: GOOD.length - 1 }),
      fc.integer({ min: 0, max: 255 }),
      fc.boolean(),
      async (at, value, isCut) => {
        const content = Buffer.from(isCut ? GOOD.subarray(0, at) : GOOD);
        if (!isCut) content[at] = value;
        const error: unknown = await prepare(content, PBF)
          .load()
          .then(
            () => undefined,
            (reason: unknown) => reason,
          );
        t.true(error === undefined || error instanceof ImportError, String(error));
      },
    ),
    { numRuns: 150 },
  );
});
