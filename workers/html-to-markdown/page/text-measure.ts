import { ELEMENT, TEXT, type TreeNode } from '../parse/tree.ts';

/** Characters of text below an element, white space apart. */
export interface TextMeasure {
  text: number;
  /** Of these, within links. */
  linked: number;
}

/** Of every element below a root, and of the root, in document order. */
export type TextMeasures = ReadonlyMap<TreeNode, TextMeasure>;

const NOTHING: TextMeasure = { text: 0, linked: 0 };

export function measureText(root: TreeNode): TextMeasures {
  const measures = new Map<TreeNode, TextMeasure>([[root, { text: 0, linked: 0 }]]);
  const elements: TreeNode[] = [];
  for (const node of root.descendants()) {
    if (node.nodeType === ELEMENT) {
      measures.set(node, { text: 0, linked: 0 });
      elements.push(node);
    } else if (node.nodeType === TEXT && node.parentNode !== null) {
      const parent = measures.get(node.parentNode);
      if (parent !== undefined) parent.text += countCharacters(node.data);
    }
  }
  // What is inside comes after what is around it, so backwards every element is complete when it is handed on.
  for (const element of elements.reverse()) {
    const { text, linked } = measureOf(measures, element);
    const parent = element.parentNode === null ? undefined : measures.get(element.parentNode);
    if (parent === undefined) continue;
    parent.text += text;
    parent.linked += element.nodeName === 'A' ? text : linked;
  }
  return measures;
}

export function measureOf(measures: TextMeasures, node: TreeNode): TextMeasure {
  return measures.get(node) ?? NOTHING;
}

function countCharacters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x20) count += 1;
  return count;
}
