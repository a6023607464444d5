import type { TreeNode } from '../parse/tree.ts';

const SOURCE = 'data-latex';
/** MathJax tells the source on the drawing or just inside it. */
const MAX_NODES = 10;

/** Keeps the source of a formula that MathJax drew, because drawings are not read. */
export function keepSource(drawing: TreeNode): void {
  const container = drawing.parentNode;
  if (container?.nodeName !== 'MJX-CONTAINER' || container.getAttribute(SOURCE) !== null) return;
  let source = drawing.getAttribute(SOURCE);
  let nodes = 0;
  for (const node of drawing.descendants()) {
    nodes += 1;
    if (source !== null || nodes > MAX_NODES) break;
    source = node.getAttribute(SOURCE);
  }
  if (source !== null) container.attributes.push({ name: SOURCE, value: source });
}
