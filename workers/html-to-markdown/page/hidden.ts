import type { TreeNode } from '../parse/tree.ts';
import { byStyle, declarationsOf, readDeclarations } from '../style/declarations.ts';
import { NAME, namesOf } from './names.ts';

/** What declarations that hide an element have in common. Most style attributes have none of it. */
const MAY_HIDE =
  /display\s*:\s*none|visib|opacity\s*:\s*[+.0]|font-size\s*:\s*[+.0]|(?:height|width)\s*:\s*[+.01](?!\d)|clip|-\d{3}|scale/i;
const ZERO = /^[+-]?0*\.?0+(?:[a-z]+|%)?$/;
/** A distance to the left or upward that no screen has. Columns are moved by less. */
const FAR = /^-(?:(?:\d{4,}|9\d\d)(?:\.\d+)?(?:px|pt)|\d{3,}(?:\.\d+)?(?:em|rem|vw|vh|%))$/;
const FAR_TRANSFORM = /translate(?:x|y|3d)?\([^)]*-\d{4,}px|scale(?:3d)?\(\s*0(?:\s*[,)])/;
const CLIPPED = /^rect\(\s*(?:0|1)(?:px)?[\s,]+(?:0|1)(?:px)?[\s,]+(?:0|1)(?:px)?[\s,]+(?:0|1)(?:px)?\s*\)$/;
const CLIPPED_PATH = /^(?:inset\(\s*(?:50|100)%|circle\(\s*0|polygon\(\s*0(?:px|%)?\s+0(?:px|%)?\s*\))/;
/** Classes and attributes of animations, which show an element when it comes into view. */
const ANIMATED_CLASS =
  /(?:^|[\s_-])(?:anim\w*|aos|framer|wow|fade\w*|reveal\w*|motion|slid(?:e|er|es|ing)|swiper|carousel|invisible|lazy\w*|parallax|scroll\w*|transition\w*|(?:opacity|translate)-)/i;
const ANIMATED_ATTRIBUTE = /^(?:data-(?!v-|reactid|testid|id$|type$|block|offset|rh$)|v-|x-|:|ng-)/;
const OPENERS = new Set(['BUTTON', 'SUMMARY']);
const OPENER_ROLES = new Set(['button', 'tab']);
/** Elements before a panel, and inside them, among which the one that opens it is looked for. */
const MAX_STEPS = 6;
const MAX_NODES = 100;

/** `whole`: it is not shown. `styled`: it has no size, color or place on the screen, as text for programs and text that appears later. */
export type Hiding = 'whole' | 'styled' | null;

/** How an element is hidden by its attributes. A part that a reader can open is not hidden. */
export function hidingOf(node: TreeNode): Hiding {
  const hiding = statedHiding(node);
  if (hiding === null || (namesOf(node) & NAME.disclosure) !== 0 || holdsFormula(node) || isVariant(node)) return null;
  return hiding === 'styled' && (appearsLater(node) || isOpened(node)) ? null : hiding;
}

/** Whether an element is hidden beside one of its kind that is shown: the same for another language or system. */
function isVariant(node: TreeNode): boolean {
  return isBesideShown(node, 'previousSibling') || isBesideShown(node, 'nextSibling');
}

function isBesideShown(node: TreeNode, direction: 'previousSibling' | 'nextSibling'): boolean {
  const isPre = holdsCode(node);
  const first = firstClass(node);
  let at = node[direction];
  for (let steps = 0; steps < 2 * MAX_STEPS && at !== null; steps += 1, at = at[direction]) {
    if (at.nodeName !== node.nodeName || statedHiding(at) !== null) continue;
    if ((isPre && holdsCode(at)) || (first !== '' && first === firstClass(at))) return true;
  }
  return false;
}

const firstClass = (node: TreeNode) => /\S+/.exec(node.classes)?.[0] ?? '';

function holdsCode(node: TreeNode): boolean {
  if (node.nodeName === 'PRE') return true;
  let nodes = 0;
  for (const inside of node.descendants()) {
    nodes += 1;
    if (inside.nodeName === 'PRE') return true;
    if (nodes > MAX_NODES) return false;
  }
  return false;
}

function statedHiding(node: TreeNode): Hiding {
  const hidden = node.getAttribute('hidden');
  // The browser's search finds it and shows it (WHATWG HTML 6.1).
  if (hidden !== null && hidden.trim().toLowerCase() !== 'until-found') return 'whole';
  const style = node.getAttribute('style');
  const hiding = style === null ? null : hidingBy(style);
  if (hiding !== 'small') return hiding;
  return holdsSize(node) ? null : 'styled';
}

/** How a style hides an element. `small`: its text has no size, but elements inside may have one. */
export const hidingBy = byStyle((style): Hiding | 'small' => {
  if (!MAY_HIDE.test(style)) return null;
  const declarations = readDeclarations(style);
  const stated = (name: string) => declarations.get(name) ?? '';
  if (stated('display') === 'none') return 'whole';
  if (/^(?:hidden|collapse)$/.test(stated('visibility')) || stated('content-visibility') === 'hidden') return 'whole';
  if (ZERO.test(stated('font-size'))) return 'small';
  return isUnseen(stated) ? 'styled' : null;
});

/** Whether an element inside has a size of its own. */
function holdsSize(node: TreeNode): boolean {
  let nodes = 0;
  for (const inside of node.descendants()) {
    nodes += 1;
    if (nodes > MAX_NODES || inside.getAttribute('style')?.includes('font')) return true;
  }
  return false;
}

function isUnseen(stated: (name: string) => string): boolean {
  if (ZERO.test(stated('opacity')) || FAR.test(stated('text-indent'))) return true;
  const cuts = /hidden|clip/.test(stated('overflow')) || /hidden|clip/.test(stated('overflow-y'));
  const sizes = ['height', 'max-height', 'width', 'max-width'].map(stated);
  // A box of no height with a padding keeps the proportions of a video.
  const isPadded = ['padding', 'padding-bottom', 'padding-top'].some((name) => /[1-9]/.test(stated(name)));
  if (cuts && !isPadded && sizes.some((size) => ZERO.test(size))) return true;
  if (ZERO.test(stated('scale')) || holdsFar(stated('translate'))) return true;
  if (FAR_TRANSFORM.test(stated('transform')) || CLIPPED_PATH.test(stated('clip-path'))) return true;
  const isPlaced = /absolute|fixed/.test(stated('position'));
  if (!isPlaced) return FAR.test(stated('margin-left')) || FAR.test(stated('margin-top'));
  if (CLIPPED.test(stated('clip')) || (cuts && sizes.some((size) => size === '1px'))) return true;
  if (holdsFar(stated('inset'))) return true;
  return ['left', 'right', 'top', 'bottom', 'margin-left'].some((side) => FAR.test(stated(side)));
}

/** Whether one of the lengths in a value is far off the screen. */
function holdsFar(lengths: string): boolean {
  return lengths.split(' ').some((length) => FAR.test(length));
}

/** Whether the formula that an image shows is in it, as on Wikipedia. */
function holdsFormula({ firstChild }: TreeNode): boolean {
  let child = firstChild;
  while (child !== null && child.nodeName !== 'MATH') child = child.nextSibling;
  return child !== null;
}

/** Whether a script or a style sheet moves or fades the element in. */
function appearsLater(node: TreeNode): boolean {
  const declarations = declarationsOf(node);
  const isFaded = ZERO.test(declarations.get('opacity') ?? '');
  if (
    isFaded &&
    ['transform', 'transition', 'animation', 'will-change', 'filter'].some((name) => declarations.has(name))
  ) {
    return true;
  }
  if (ANIMATED_CLASS.test(node.classes)) return true;
  return node.attributes.some(({ name }) => ANIMATED_ATTRIBUTE.test(name));
}

/** Whether a button, a tab or the like opens the element: it is before it, or says so. */
function isOpened(node: TreeNode): boolean {
  if (node.getAttribute('role') === 'region' || node.getAttribute('aria-labelledby') !== null) return true;
  let before = node.previousSibling;
  for (let steps = 0; steps < MAX_STEPS && before !== null; steps += 1, before = before.previousSibling) {
    if (before.attributes.length > 0 || before.firstChild !== null) return holdsOpener(before);
  }
  return false;
}

function holdsOpener(node: TreeNode): boolean {
  let at: TreeNode | null = node;
  for (let steps = 0; steps < MAX_STEPS && at !== null; steps += 1) {
    if (OPENERS.has(at.nodeName) || OPENER_ROLES.has(at.getAttribute('role') ?? '')) return true;
    if (at.getAttribute('aria-expanded') !== null || at.getAttribute('aria-controls') !== null) return true;
    at = at.firstChild;
  }
  return false;
}
