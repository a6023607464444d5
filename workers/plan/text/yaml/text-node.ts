import { TextError } from '../faults/text-fault.ts';

/** A scalar with its value as text. Nothing is converted: `1.10`, `yes` and `null` are texts. */
export interface ScalarNode {
  readonly kind: 'scalar';
  /** Offset of its first character. */
  readonly at: number;
  readonly text: string;
  /** Written in quotes, or as a block. */
  readonly isQuoted: boolean;
  /** Offset in the file of the character of `text` at `index`. */
  readonly sourceOf: (index: number) => number;
}

export interface MapEntry {
  readonly key: ScalarNode;
  readonly value: TextNode;
}

export interface MapNode {
  readonly kind: 'map';
  readonly at: number;
  readonly entries: readonly MapEntry[];
}

export interface ListNode {
  readonly kind: 'list';
  readonly at: number;
  readonly items: readonly TextNode[];
}

export type TextNode = ScalarNode | MapNode | ListNode;

const isEmpty = (node: TextNode): boolean => node.kind === 'scalar' && node.text === '' && !node.isQuoted;

/** @throws {TextError} WRONG_FORM. `what` describes what belongs here */
export function asMap(node: TextNode, what: string): MapNode {
  if (node.kind === 'map') return node;
  throw new TextError(
    'WRONG_FORM',
    node.at,
    `${isEmpty(node) ? 'nothing is here' : 'this is not a map'}: write ${what}`,
  );
}

/** @throws {TextError} WRONG_FORM */
export function asScalar(node: TextNode, what: string): ScalarNode {
  if (node.kind === 'scalar' && !isEmpty(node)) return node;
  const found = node.kind === 'scalar' ? 'nothing' : `a ${node.kind}`;
  throw new TextError('WRONG_FORM', node.at, `${found} is here: write ${what}`);
}

/** The items of a list, or one node alone. */
export const itemsOf = (node: TextNode): readonly TextNode[] => (node.kind === 'list' ? node.items : [node]);
