import { deflateSync } from 'node:zlib';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

type Tags = Readonly<Record<string, string>>;

export interface MadeNode {
  readonly id: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly tags?: Tags;
}

export interface MadeWay {
  readonly id: number;
  readonly nodes: readonly number[];
  readonly tags?: Tags;
}

export interface MadeRelation {
  readonly id: number;
  readonly ways: readonly number[];
  /** The role of each way, `outer` by default. */
  readonly roles?: readonly string[];
  readonly tags: Tags;
}

export interface MadeMap {
  readonly nodes?: readonly MadeNode[];
  readonly ways?: readonly MadeWay[];
  readonly relations?: readonly MadeRelation[];
}

export interface Writing {
  readonly compression?: 'zlib' | 'none';
  /** Whether nodes are in columns, as nearly every file has them. */
  readonly isDense?: boolean;
  readonly requiredFeatures?: readonly string[];
  /** Elements in a block. */
  readonly blockSize?: number;
}

/** A map as an OSM PBF file (https://wiki.openstreetmap.org/wiki/PBF_Format). */
export function writePbf(map: MadeMap, writing: Writing = {}): Buffer {
  const { requiredFeatures = ['OsmSchema-V0.6', 'DenseNodes'], blockSize = 8000, isDense = true } = writing;
  const header = message((writer) => {
    for (const feature of requiredFeatures) writer.tag(4, WireType.LengthDelimited).string(feature);
  });
  const { nodes = [], ways = [], relations = [] } = map;
  const blocks = [
    ...chunksOf(nodes, blockSize).map((part) => nodeBlock(part, isDense)),
    ...chunksOf(ways, blockSize).map(wayBlock),
    ...chunksOf(relations, blockSize).map(relationBlock),
  ];
  return Buffer.concat([
    fileBlock('OSMHeader', header, writing.compression),
    ...blocks.map((block) => fileBlock('OSMData', block, writing.compression)),
  ]);
}

/** A blob with its header, as they are in a file. */
export function fileBlock(type: string, content: Uint8Array, compression: 'zlib' | 'none' = 'zlib'): Buffer {
  return blobOf(
    type,
    message((writer) => {
      if (compression === 'none') writer.tag(1, WireType.LengthDelimited).bytes(content);
      else {
        writer.tag(2, WireType.Varint).int32(content.length);
        writer.tag(3, WireType.LengthDelimited).bytes(deflateSync(content));
      }
    }),
  );
}

/** @param sizeBytes what the header says of the blob */
export function blobOf(type: string, blob: Uint8Array, sizeBytes: number = blob.length): Buffer {
  const header = message((writer) => {
    writer.tag(1, WireType.LengthDelimited).string(type);
    writer.tag(3, WireType.Varint).int32(sizeBytes);
  });
  const length = Buffer.alloc(4);
  length.writeUInt32BE(header.length);
  return Buffer.concat([length, header, blob]);
}

export function message(write: (writer: BinaryWriter) => void): Uint8Array {
  const writer = new BinaryWriter();
  write(writer);
  return writer.finish();
}

class Texts {
  readonly #ids = new Map<string, number>([['', 0]]);

  idOf(text: string): number {
    const id = this.#ids.get(text) ?? this.#ids.size;
    this.#ids.set(text, id);
    return id;
  }

  finish(): Uint8Array {
    return message((writer) => {
      for (const text of this.#ids.keys()) writer.tag(1, WireType.LengthDelimited).string(text);
    });
  }
}

function blockOf(write: (texts: Texts) => Uint8Array): Uint8Array {
  const texts = new Texts();
  const group = write(texts);
  return message((writer) => {
    writer.tag(1, WireType.LengthDelimited).bytes(texts.finish());
    writer.tag(2, WireType.LengthDelimited).bytes(group);
  });
}

function packed(values: readonly number[], write: (writer: BinaryWriter, value: number) => void): Uint8Array {
  return message((writer) => {
    for (const value of values) write(writer, value);
  });
}

const unsigned = (values: readonly number[]) => packed(values, (writer, value) => writer.uint32(value));
const signed = (values: readonly number[]) => packed(values, (writer, value) => writer.sint64(value));
const deltas = (values: readonly number[]) =>
  signed(values.map((value, index) => value - (index === 0 ? 0 : (values[index - 1] ?? 0))));

function writeTags(writer: BinaryWriter, texts: Texts, tags: Tags = {}): void {
  writer.tag(2, WireType.LengthDelimited).bytes(unsigned(Object.keys(tags).map((key) => texts.idOf(key))));
  writer.tag(3, WireType.LengthDelimited).bytes(unsigned(Object.values(tags).map((value) => texts.idOf(value))));
}

const toUnits = (degrees: number) => Math.round(degrees * 1e7);

function nodeBlock(nodes: readonly MadeNode[], isDense: boolean): Uint8Array {
  return blockOf((texts) => (isDense ? denseNodes(texts, nodes) : singleNodes(texts, nodes)));
}

function denseNodes(texts: Texts, nodes: readonly MadeNode[]): Uint8Array {
  const tags = nodes.flatMap(({ tags: own = {} }) => [
    ...Object.entries(own).flatMap(([key, value]) => [texts.idOf(key), texts.idOf(value)]),
    0,
  ]);
  const dense = message((writer) => {
    writer.tag(1, WireType.LengthDelimited).bytes(deltas(nodes.map(({ id }) => id)));
    writer.tag(8, WireType.LengthDelimited).bytes(deltas(nodes.map(({ latitude }) => toUnits(latitude))));
    writer.tag(9, WireType.LengthDelimited).bytes(deltas(nodes.map(({ longitude }) => toUnits(longitude))));
    // A block without tags has no list of them.
    if (tags.some((tag) => tag !== 0)) writer.tag(10, WireType.LengthDelimited).bytes(unsigned(tags));
  });
  return message((writer) => writer.tag(2, WireType.LengthDelimited).bytes(dense));
}

function singleNodes(texts: Texts, nodes: readonly MadeNode[]): Uint8Array {
  return message((group) => {
    for (const { id, latitude, longitude, tags } of nodes) {
      const node = message((writer) => {
        writer.tag(1, WireType.Varint).sint64(id);
        writeTags(writer, texts, tags);
        writer.tag(8, WireType.Varint).sint64(toUnits(latitude));
        writer.tag(9, WireType.Varint).sint64(toUnits(longitude));
      });
      group.tag(1, WireType.LengthDelimited).bytes(node);
    }
  });
}

function wayBlock(ways: readonly MadeWay[]): Uint8Array {
  return blockOf((texts) =>
    message((group) => {
      for (const { id, nodes, tags } of ways) {
        const way = message((writer) => {
          writer.tag(1, WireType.Varint).int64(id);
          writeTags(writer, texts, tags);
          writer.tag(8, WireType.LengthDelimited).bytes(deltas(nodes));
        });
        group.tag(3, WireType.LengthDelimited).bytes(way);
      }
    }),
  );
}

const WAY = 1;

function relationBlock(relations: readonly MadeRelation[]): Uint8Array {
  return blockOf((texts) =>
    message((group) => {
      for (const { id, ways, roles = [], tags } of relations) {
        const relation = message((writer) => {
          writer.tag(1, WireType.Varint).int64(id);
          writeTags(writer, texts, tags);
          const names = ways.map((_, index) => texts.idOf(roles[index] ?? 'outer'));
          writer.tag(8, WireType.LengthDelimited).bytes(unsigned(names));
          writer.tag(9, WireType.LengthDelimited).bytes(deltas(ways));
          writer.tag(10, WireType.LengthDelimited).bytes(unsigned(ways.map(() => WAY)));
        });
        group.tag(4, WireType.LengthDelimited).bytes(relation);
      }
    }),
  );
}

function chunksOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
