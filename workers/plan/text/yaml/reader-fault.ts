import { DocumentError, type DocumentErrorCode } from '../../../exact/document-error.ts';
import { valueAt } from '../../../exact/json-pointer.ts';
import { PlanError, type PlanErrorCode } from '../../plan-error.ts';
import { TextError, type TextFaultCode } from '../faults/text-fault.ts';
import type { TextNode } from './text-node.ts';

const CODES: Readonly<Partial<Record<PlanErrorCode | DocumentErrorCode, TextFaultCode>>> = {
  CYCLIC_ORDER: 'CYCLIC_ORDER',
  DUPLICATE_KEY: 'DUPLICATE_KEY',
  TOO_MANY_ACTIONS: 'TOO_MANY',
  TOO_MANY_VARIABLES: 'TOO_MANY',
  UNKNOWN_FIELD: 'UNKNOWN_NAME',
  UNKNOWN_PURE_TOOL: 'UNKNOWN_TOOL',
  WRONG_REPLAY: 'WRONG_REPLAY',
};

/** Parts whose names in a text are others than in a document. */
const NAMES: Readonly<Record<string, string>> = {
  variables: 'given',
  constraints: 'rules',
  inline: 'rows',
  binds: 'where',
};

/** Runs the reader over a document that was compiled from a text. @throws {TextError} what it says, at its place in the text */
export function placedIn<Read>(text: TextNode, document: unknown, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DocumentError || error instanceof PlanError)) throw error;
    const { code, path, message } = error;
    const wanted = message.startsWith('must not have more ') ? 'TOO_MANY' : (CODES[code] ?? 'WRONG_FORM');
    const subject = /^(?:is|has|does|must) /.test(message) ? `${path.slice(path.lastIndexOf('/') + 1)} ` : '';
    throw new TextError(wanted, placeOf(path, document, text), subject + message);
  }
}

/** The offset of the value at a JSON pointer. Of a part that is not in the text, that of the part around it. */
function placeOf(pointer: string, document: unknown, text: TextNode): number {
  let node = text;
  const tokens = pointer.split('/').slice(1);
  for (const [index, token] of tokens.entries()) {
    const names = [NAMES[token] ?? token, ...idsOf(valueAt(document, `/${tokens.slice(0, index + 1).join('/')}`))];
    const next =
      node.kind === 'list'
        ? node.items[Number(token)]
        : node.kind === 'map'
          ? node.entries.find(({ key }) => names.includes(key.text))?.value
          : undefined;
    if (next === undefined) break;
    node = next;
  }
  return node.at;
}

/** The names that an item of a list has in a text. */
function idsOf(item: unknown): readonly string[] {
  const { step_id, kind, id, name, version } = Object(item) as Readonly<Record<string, unknown>>;
  return [step_id, kind, id, `${String(name)}@${String(version)}`].map(String);
}
