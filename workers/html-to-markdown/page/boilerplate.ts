import { ELEMENT, type TreeNode } from '../parse/tree.ts';
import { measureOf, type TextMeasures } from './text-measure.ts';

const TAGS = new Set(['NAV', 'ASIDE', 'FOOTER']);
const ROLES = new Set(['navigation', 'banner', 'contentinfo', 'search', 'complementary', 'dialog', 'alertdialog']);
const KEPT = new Set(['BODY', 'MAIN', 'ARTICLE', 'HTML', 'H1', 'P', 'PRE', 'CODE', 'TABLE', 'TBODY', 'TR', 'TD', 'TH']);
/** Words of class names and ids that pages call their frame by. */
const WORDS = new RegExp(
  `(?:^|[\\s_-])(?:${[
    'nav|navbar|navigation|menu|submenu|megamenu|sidebar|footer|masthead|topbar|toolbar|breadcrumbs?|pagination|pager',
    'cookies?|consent|gdpr|newsletter|subscribe|signup|login|popup|modal|share|sharing|social|skip-link',
    'related|recommend(?:ed|ations?)|promo|advert(?:isement)?|ads?|sponsored|banner',
  ].join('|')})(?:$|[\\s_-])`,
  'i',
);
/** Something that holds more of the page than this is not its frame, whatever it is called. */
const MOST_OF_PAGE = 0.4;

/** Leaves the frame of a page out: navigation, side bars, footers, banners, and what their names say is such. */
export function removeBoilerplate(body: TreeNode, measures: TextMeasures): void {
  const limit = measureOf(measures, body).text * MOST_OF_PAGE;
  const boilerplate: TreeNode[] = [];
  for (const node of body.descendants()) {
    if (node.nodeType !== ELEMENT || KEPT.has(node.nodeName)) continue;
    if (isBoilerplate(node) && measureOf(measures, node).text <= limit) boilerplate.push(node);
  }
  for (const node of boilerplate) node.parentNode?.removeChild(node);
}

function isBoilerplate(node: TreeNode): boolean {
  if (TAGS.has(node.nodeName)) return true;
  const role = node.getAttribute('role');
  if (role !== null && ROLES.has(role)) return true;
  if (node.nodeName === 'HEADER') return !isWithinContent(node);
  const name = `${node.getAttribute('class') ?? ''} ${node.getAttribute('id') ?? ''}`;
  return name.length > 1 && WORDS.test(name);
}

function isWithinContent(node: TreeNode): boolean {
  for (let at = node.parentNode; at !== null; at = at.parentNode) {
    if (at.nodeName === 'ARTICLE' || at.nodeName === 'MAIN' || at.getAttribute('role') === 'main') return true;
  }
  return false;
}
