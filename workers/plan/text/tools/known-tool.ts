import { canonicalText } from '../../../exact/canonical-json.ts';
import type { ToolDocument } from '../../../exact/tool-schema.ts';
import { flatten, parseShapes } from '../../language/shapes.ts';
import { FOLDED_TYPES } from '../../language/types.ts';
import { readAnyType, type StateType } from '../../read/read-state.ts';
import { hashToolText } from '../../read/read-tool.ts';
import { readAnswers, typesOf, valuesOf } from '../../read/tool-parts.ts';
import type { TypesByName } from '../cel/scope.ts';

/** What a plan needs to know about a tool. */
export interface KnownTool {
  readonly name: string;
  readonly version: string;
  readonly args: TypesByName;
  readonly responds: TypesByName;
  /** States that the tool needs, by name. Empty for a tool that the plan describes itself. */
  readonly state: ReadonlyMap<string, StateType>;
  /** The canonical text of its description. Undefined for a tool that the plan describes itself. */
  readonly text: string | undefined;
}

export const hashTool = (tool: ToolDocument): string => hashToolText(canonicalText(tool));

/** Reads the names and types of a description of the catalogue. @throws {PlanError} @throws {DocumentError} */
export function toKnownTool(tool: ToolDocument): KnownTool {
  const state = Object.entries(tool.state).map(([name, json]) => [name, readAnyType(json, `/state/${name}`)] as const);
  return {
    name: tool.name,
    version: tool.version,
    args: flatten(parseShapes(tool.args, '/args', FOLDED_TYPES)),
    responds: typesOf(valuesOf(readAnswers(tool.responds, '/responds'))),
    state: new Map(state),
    text: canonicalText(tool),
  };
}
