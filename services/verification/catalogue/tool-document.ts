import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { pointerToken } from '../../../workers/exact/json-pointer.ts';
import { shapeFault } from '../../../workers/exact/shape-fault.ts';
import { ToolDocument, type ToolLimit } from '../../../workers/exact/tool-schema.ts';
import { canonicalBytes, digestTool } from '../proof/digests.ts';
import { malformed } from '../tenants/requests.ts';
import { plannedIdentityAt } from './plan-tools.ts';

export const MAX_TOOL_BYTES = 65_536;

/** A description of a tool as it is stored. */
export interface ToolText {
  readonly tool: ToolDocument;
  /** Its canonical text. */
  readonly document: string;
  readonly sha256: string;
}

const shape = Compile(ToolDocument);
const NumberType = Compile(
  Type.Union([
    Type.Object({ type: Type.Literal('int') }),
    Type.Object({ type: Type.Literal('decimal'), scale: Type.Integer({ minimum: 0 }) }),
  ]),
);
const KeyType = Compile(Type.Object({ type: Type.String({ enum: ['int', 'string', 'enum', 'bool'] }) }));
const IdentityType = Compile(Type.Object({ type: Type.String({ enum: ['int', 'string'] }), at: Type.String() }));
const DOT_SEGMENT = /^\.{1,2}$/;

/**
 * Reads a description of a tool: its shape, its identity and its limits. The solver reads types and expressions.
 * @param path JSON pointer to it, for messages
 * @throws {ServiceError} MALFORMED_INPUT
 */
export function readTool(value: unknown, path: string): ToolText {
  const bytes = canonicalBytes(value);
  if (bytes.length > MAX_TOOL_BYTES) throw malformed(path, `larger than ${MAX_TOOL_BYTES} bytes`);
  if (!shape.Check(value)) {
    const fault = shapeFault(shape.Errors(value)[1]);
    throw malformed(path + fault.path, fault.message);
  }
  assertName(value, path);
  assertIdentity(value, path);
  for (const [index, limit] of value.limits.entries()) assertLimit(value, limit, `${path}/limits/${index}`);
  const ids = value.limits.map(({ id }) => id);
  const repeated = ids.findIndex((id, index) => ids.indexOf(id) < index);
  if (repeated !== -1) throw malformed(`${path}/limits/${repeated}/id`, 'is the id of an earlier limit');
  return { tool: value, document: bytes.toString('utf8'), sha256: digestTool(bytes) };
}

/** Clients and proxies remove dot segments from a path (RFC 3986, section 5.2.4). */
function assertName({ name }: ToolDocument, path: string): void {
  if (DOT_SEGMENT.test(name)) throw malformed(`${path}/name`, 'a name of dots alone cannot be read by its path');
}

function assertIdentity(tool: ToolDocument, path: string): void {
  const { identity, effect, responds } = tool;
  if (identity === null) {
    if (effect !== 'revenue_write') return;
    throw malformed(`${path}/identity`, 'must name the field of responds that identifies one act that moves money');
  }
  if (!IdentityType.Check(responds[identity]) || plannedIdentityAt(tool) === undefined) {
    throw malformed(`${path}/identity`, 'must name a string or an int of responds');
  }
}

function assertLimit({ args }: ToolDocument, { of, per, most }: ToolLimit, path: string): void {
  const [, decimals = ''] = most.split('.');
  if (of === null && decimals !== '') throw malformed(`${path}/most`, 'must be a whole number: acts are counted');
  if (of !== null) {
    const type = args[of];
    if (!NumberType.Check(type)) throw malformed(`${path}/of`, 'must name an int or a decimal of args');
    const scale = type.type === 'int' ? 0 : type.scale;
    if (decimals.length !== scale) throw malformed(`${path}/most`, `must have ${scale} decimals, as ${of} has`);
  }
  if (per !== null && !KeyType.Check(args[per])) {
    throw malformed(`${path}/per`, `must name an int, string, enum or bool of args: not ${pointerToken(per)}`);
  }
}
