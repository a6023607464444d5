import type { EvidenceDocument } from '../../../exact/plan-schema.ts';
import { typesOf } from '../../read/tool-parts.ts';
import type { TextScope } from '../cel/scope.ts';
import { type FaultLog, TextError } from '../faults/text-fault.ts';
import { readDocumentFields, toDocument } from '../tools/read-fields.ts';
import { readRules } from '../tools/read-rules.ts';
import { readTimes } from '../types/read-times.ts';
import { faultyNames, quote, readFields, readIdentifiers } from '../yaml/fields.ts';
import { asScalar, itemsOf, type ScalarNode, type TextNode } from '../yaml/text-node.ts';
import type { Names } from './names.ts';
import { readCount } from './read-header.ts';

const MEDIA_TYPE = /^[a-z0-9][a-z0-9.+-]{0,63}\/[a-z0-9][a-z0-9.+-]{0,63}$/;
const BYTES = { min: 1, max: 2 * 1024 * 1024, fallback: 65_536 };
const MOST_TIMES = 20;

/** Evidence that a step asks for: `receipt: { type: application/json, reads: { id: /id }, where: … }`. */
export function readEvidence(
  node: TextNode | undefined,
  names: Names,
  scope: TextScope,
  log: FaultLog,
): EvidenceDocument[] {
  return log.each(readIdentifiers(node, 'kinds of evidence by name', log), ({ key, value }) => {
    names.assertFree(key, 'a kind of evidence', log);
    return readKind(key, value, scope, log);
  });
}

function readKind(key: ScalarNode, node: TextNode, scope: TextScope, log: FaultLog): EvidenceDocument {
  const kind = key.text;
  const fields = readFields(node, ['type', 'reads', 'where', 'times', 'max_bytes'], `the evidence ${kind}`, log);
  const types = log.attempt(() => readMediaTypes(fields.require('type', 'type: application/json'))) ?? [];
  const { state: _, ...names } = scope.names;
  const reads = readDocumentFields(fields.get('reads'), { what: 'fields by name', like: names }, log);
  const times = fields.get('times');
  const { min, max } = (times && log.attempt(() => readTimes(times, MOST_TIMES))) ?? { min: 1, max: 1 };
  const faulty = new Set([...scope.faulty, ...faultyNames(fields.get('reads'), reads, `${kind}.`)]);
  const inside: TextScope = {
    ...scope,
    names: { ...names, ev: typesOf(reads) },
    relations: { ...scope.relations, maps: undefined, hasRunFacts: false },
    ...{ faulty, states: new Map(), evidence: kind },
  };
  return {
    kind,
    media_types: types,
    max_bytes: readCount(fields.get('max_bytes'), BYTES, log, 'a number of bytes'),
    min,
    max,
    reads: toDocument(reads),
    binds: readRules(fields.get('where'), 'where', inside, log),
  };
}

function readMediaTypes(node: TextNode): string[] {
  const items = itemsOf(node);
  if (items.length === 0 || items.length > 8) throw new TextError('TOO_MANY', node.at, 'name 1 to 8 media types');
  return items.map((item) => {
    const { text, at } = asScalar(item, 'a media type such as application/json');
    if (MEDIA_TYPE.test(text)) return text;
    throw new TextError(
      'MALFORMED_VALUE',
      at,
      `${quote(text)} is not a media type: write, for example, application/json`,
    );
  });
}
