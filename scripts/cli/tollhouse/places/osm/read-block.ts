import { BinaryReader, type WireType } from '@bufbuild/protobuf/wire';
import { PackedNumbers } from './packed-numbers.ts';
import { TagReader } from './tag-reader.ts';
import type { Tags } from './tags.ts';

/** A kind of element, and its bit in a set of kinds. */
export const NODES = 1;
export const WAYS = 2;
export const RELATIONS = 4;

/** What is read of a block. Elements without tags that matter have none. Coordinates are in 1e-7 degrees. */
export interface BlockVisitor {
  node?(id: number, latitudeE7: number, longitudeE7: number, tags: Tags | undefined): void;
  /** `refs`: the ids of its nodes, in their order. */
  way?(id: number, refs: readonly number[], tags: Tags | undefined): void;
  /** `ways`: the ids of the ways that are its outer border. */
  relation?(id: number, ways: readonly number[], tags: Tags): void;
}

interface Scale {
  readonly granularity: number;
  readonly latitudeOffset: number;
  readonly longitudeOffset: number;
}

interface Block {
  readonly tags: TagReader;
  readonly scale: Scale;
}

const GROUP = { node: 1, dense: 2, way: 3, relation: 4 } as const;

/** The kinds of elements in a PrimitiveBlock, as a set of bits. @throws {Error} if the bytes are not a block */
export function kindsOf(bytes: Uint8Array): number {
  let kinds = 0;
  for (const group of groupsOf(bytes).groups) {
    forEachField(group, (reader, field, wire) => {
      if (field === GROUP.node || field === GROUP.dense) kinds |= NODES;
      else if (field === GROUP.way) kinds |= WAYS;
      else if (field === GROUP.relation) kinds |= RELATIONS;
      reader.skip(wire, field);
    });
  }
  return kinds;
}

/** Reads a PrimitiveBlock. @throws {Error} if the bytes are not a block */
export function readBlock(bytes: Uint8Array, visitor: BlockVisitor): void {
  const { strings, scale, groups } = groupsOf(bytes);
  const block: Block = { tags: new TagReader(strings), scale };
  for (const group of groups) {
    forEachField(group, (reader, field, wire) => {
      if (field === GROUP.node && visitor.node) readNode(block, reader.bytes(), visitor);
      else if (field === GROUP.dense && visitor.node) readDenseNodes(block, reader.bytes(), visitor);
      else if (field === GROUP.way && visitor.way) readWay(block, reader.bytes(), visitor);
      else if (field === GROUP.relation && visitor.relation) readRelation(block, reader.bytes(), visitor);
      else reader.skip(wire, field);
    });
  }
}

function forEachField(bytes: Uint8Array, visit: (reader: BinaryReader, field: number, wire: WireType) => void): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, wire] = reader.tag();
    visit(reader, field, wire);
  }
}

function groupsOf(bytes: Uint8Array) {
  let strings: Uint8Array = NOTHING;
  let granularity = 100;
  let latitudeOffset = 0;
  let longitudeOffset = 0;
  const groups: Uint8Array[] = [];
  forEachField(bytes, (reader, field, wire) => {
    if (field === 1) strings = reader.bytes();
    else if (field === 2) groups.push(reader.bytes());
    else if (field === 17) granularity = reader.int32();
    else if (field === 19) latitudeOffset = Number(reader.int64());
    else if (field === 20) longitudeOffset = Number(reader.int64());
    else reader.skip(wire, field);
  });
  return { strings, groups, scale: { granularity, latitudeOffset, longitudeOffset } };
}

const NOTHING: Uint8Array = new Uint8Array();

/** Nanodegrees in the file. Null island is kept; the caller decides. */
function toE7(value: number, offset: number, granularity: number): number {
  return Math.round((offset + granularity * value) / 100);
}

function readNode({ tags, scale }: Block, bytes: Uint8Array, visitor: BlockVisitor): void {
  let [id, latitude, longitude] = [0, 0, 0];
  let [keys, values] = [NOTHING, NOTHING];
  forEachField(bytes, (reader, field, wire) => {
    if (field === 1) id = Number(reader.sint64());
    else if (field === 2) keys = reader.bytes();
    else if (field === 3) values = reader.bytes();
    else if (field === 8) latitude = Number(reader.sint64());
    else if (field === 9) longitude = Number(reader.sint64());
    else reader.skip(wire, field);
  });
  const { granularity, latitudeOffset, longitudeOffset } = scale;
  visitor.node?.(
    id,
    toE7(latitude, latitudeOffset, granularity),
    toE7(longitude, longitudeOffset, granularity),
    tags.read(keys, values),
  );
}

function readDenseNodes({ tags, scale }: Block, bytes: Uint8Array, visitor: BlockVisitor): void {
  let [ids, latitudes, longitudes, keysValues] = [NOTHING, NOTHING, NOTHING, NOTHING];
  forEachField(bytes, (reader, field, wire) => {
    if (field === 1) ids = reader.bytes();
    else if (field === 8) latitudes = reader.bytes();
    else if (field === 9) longitudes = reader.bytes();
    else if (field === 10) keysValues = reader.bytes();
    else reader.skip(wire, field);
  });
  const [idDeltas, norths, easts] = [ids, latitudes, longitudes].map((list) => new PackedNumbers(list)) as [
    PackedNumbers,
    PackedNumbers,
    PackedNumbers,
  ];
  const { granularity, latitudeOffset, longitudeOffset } = scale;
  const dense = keysValues.length === 0 ? undefined : new PackedNumbers(keysValues);
  let [id, latitude, longitude] = [0, 0, 0];
  while (!idDeltas.isAtEnd) {
    id += idDeltas.nextSigned();
    latitude += norths.nextSigned();
    longitude += easts.nextSigned();
    visitor.node?.(
      id,
      toE7(latitude, latitudeOffset, granularity),
      toE7(longitude, longitudeOffset, granularity),
      dense && tags.readDense(dense),
    );
  }
}

function readWay({ tags }: Block, bytes: Uint8Array, visitor: BlockVisitor): void {
  let id = 0;
  let [keys, values, nodes] = [NOTHING, NOTHING, NOTHING];
  forEachField(bytes, (reader, field, wire) => {
    if (field === 1) id = Number(reader.int64());
    else if (field === 2) keys = reader.bytes();
    else if (field === 3) values = reader.bytes();
    else if (field === 8) nodes = reader.bytes();
    else reader.skip(wire, field);
  });
  visitor.way?.(id, sumsOf(nodes), tags.read(keys, values));
}

const OUTER_WAY = 1;

function readRelation({ tags }: Block, bytes: Uint8Array, visitor: BlockVisitor): void {
  let id = 0;
  let [keys, values, roles, members, types] = [NOTHING, NOTHING, NOTHING, NOTHING, NOTHING];
  forEachField(bytes, (reader, field, wire) => {
    if (field === 1) id = Number(reader.int64());
    else if (field === 2) keys = reader.bytes();
    else if (field === 3) values = reader.bytes();
    else if (field === 8) roles = reader.bytes();
    else if (field === 9) members = reader.bytes();
    else if (field === 10) types = reader.bytes();
    else reader.skip(wire, field);
  });
  const own = tags.read(keys, values);
  if (own === undefined) return;
  const [role, type] = [new PackedNumbers(roles), new PackedNumbers(types)];
  const ways = sumsOf(members).filter(() => {
    const isWay = type.next() === OUTER_WAY;
    const name = tags.textAt(role.next());
    return isWay && name !== 'inner';
  });
  visitor.relation?.(id, ways, own);
}

/** A list in which each number is stored as its difference from the one before. */
function sumsOf(bytes: Uint8Array): number[] {
  const deltas = new PackedNumbers(bytes);
  const sums: number[] = [];
  let sum = 0;
  while (!deltas.isAtEnd) {
    sum += deltas.nextSigned();
    sums.push(sum);
  }
  return sums;
}
