import { ELEMENT, type TreeNode } from '../parse/tree.ts';
import { measureOf, type TextMeasures } from './text-measure.ts';

/** What calls itself the main content is believed when it holds this share of the page's text. */
const LEAST_OF_PAGE = 0.35;
/** One element that holds nearly all the text of another is as good, and has less beside it. */
const NEARLY_ALL = 0.85;

/** The element that holds the main content of a page whose frame is gone: the body, where nothing stands out. */
export function findMainContent(body: TreeNode, measures: TextMeasures): TreeNode {
  const ofPage = proseOf(measures, body);
  let best = body;
  for (const node of body.descendants()) {
    if (!isCalledMain(node)) continue;
    const prose = proseOf(measures, node);
    if (prose < ofPage * LEAST_OF_PAGE) continue;
    if (best === body || prose > proseOf(measures, best)) best = node;
  }
  return narrow(best, measures);
}

function isCalledMain(node: TreeNode): boolean {
  if (node.nodeType !== ELEMENT) return false;
  return node.nodeName === 'MAIN' || node.nodeName === 'ARTICLE' || node.getAttribute('role') === 'main';
}

function narrow(root: TreeNode, measures: TextMeasures): TreeNode {
  const least = proseOf(measures, root) * NEARLY_ALL;
  let at = root;
  for (;;) {
    let inner: TreeNode | null = null;
    for (let child = at.firstChild; child !== null; child = child.nextSibling) {
      if (child.nodeType === ELEMENT && isContainer(child) && proseOf(measures, child) >= least) inner = child;
    }
    if (inner === null || least === 0) return at;
    at = inner;
  }
}

function isContainer({ nodeName }: TreeNode): boolean {
  return nodeName === 'DIV' || nodeName === 'SECTION' || nodeName === 'ARTICLE' || nodeName === 'MAIN';
}

/** Text that is not a link. */
function proseOf(measures: TextMeasures, node: TreeNode): number {
  const { text, linked } = measureOf(measures, node);
  return text - linked;
}
