import { defined } from '../../exact/defined.ts';
import { ELEMENT, elementFrom, moveChildren, TEXT, type TreeNode } from '../parse/tree.ts';
import { isList } from './frames.ts';
import { type ListItem, ListTree } from './list-tree.ts';
import { findRule } from './rules/registry.ts';

/** Google Docs names a list and the level of its items in one class, Quill the level of an item. */
const DOCS = /(?:^|\s)(lst-kix_\S+)-(\d)(?:\s|$)/;
const INDENT = /(?:^|\s)ql-indent-(\d)(?:\s|$)/;
/** The element that Word puts around each of its lists of one item. */
const WRAPPER = /(?:^|\s)ListContainerWrapper(?:\s|$)/;
const MARKER_CLASS = /num|step|count|index|marker|bullet|badge|order/i;
const BULLET = /^[•·▪◦‣●○■–—]$/;
const MAX_MARKER = 5;

/** An item of a list with what its program tells of it. */
interface Item extends ListItem {
  readonly node: TreeNode;
  /** Null if nothing tells it. */
  readonly stated: number | null;
}

/**
 * Programs write one list as several lists of an item, or as one list whose items state their levels. Such lists become one
 * tree of lists. @returns the list, or what stands in its place
 */
export function takeList(list: TreeNode): TreeNode {
  if (ListTree.made(list)) return list;
  takeMarkers(list);
  const items = readItems(list);
  if (items === null) return joinNext(list);
  const lists = [list];
  const all = [...items];
  const key = keyOf(list);
  for (let next = listAfter(list); next !== null && keyOf(next) === key; next = listAfter(next)) {
    const more = readItems(next);
    if (more === null) break;
    takeMarkers(next);
    lists.push(next);
    all.push(...more);
  }
  const isOrdered = list.nodeName === 'OL';
  const isPlain = all.every((item) => item.level === defined(all[0]).level && item.isOrdered === isOrdered);
  if (isPlain && lists.length === 1) return list;
  const tree = new ListTree(list);
  for (const item of all) {
    item.node.remove();
    tree.add(item, item.node);
  }
  for (const old of lists) old.remove();
  return tree.place;
}

/** Joins the lists of one item after a list of one item with the same class, and numbered lists that go on counting. */
function joinNext(list: TreeNode): TreeNode {
  const isOrdered = list.nodeName === 'OL';
  const isClassed = list.classes !== '';
  if (isOrdered ? !isSingle(list) && !isClassed : !isSingle(list) || !isClassed) return list;
  let count = -1;
  for (let next = listAfter(list); next !== null && next.nodeName === list.nodeName; next = listAfter(list)) {
    if (isOrdered) {
      const start = next.getAttribute('start');
      if (start === null || next.classes !== list.classes) break;
      if (count < 0) count = Number(list.getAttribute('start') ?? 1) + list.children.length;
      if (Number(start) !== count) break;
      count += next.children.length;
    } else if (next.classes !== list.classes || !isSingle(next) || isStated(list) || isStated(next)) break;
    moveChildren(next, list);
    next.remove();
  }
  return list;
}

function isSingle(list: TreeNode): boolean {
  const first = elementFrom(list.firstChild);
  return first?.nodeName === 'LI' && elementFrom(first.nextSibling) === null;
}

/** Whether a list tells the state of its item, which is a task. */
function isStated(list: TreeNode): boolean {
  return list.getAttribute('data-checked') !== null;
}

/** The list right after a list. Word's lists are each in an element of their own. */
function listAfter(list: TreeNode): TreeNode | null {
  const { parentNode } = list;
  const isWrapped = parentNode !== null && WRAPPER.test(parentNode.classes) && nextTo(list) === null;
  const next = nextTo(isWrapped ? parentNode : list);
  const within = next !== null && WRAPPER.test(next.classes) ? elementFrom(next.firstChild) : next;
  return within !== null && isList(within.nodeName) ? within : null;
}

/** The next element, if there is no text before it. */
function nextTo(node: TreeNode): TreeNode | null {
  let next = node.nextSibling;
  while (next !== null && next.nodeType !== ELEMENT) {
    if (next.nodeType === TEXT && next.data.trim() !== '') return null;
    next = next.nextSibling;
  }
  return next;
}

/** What lists that belong together have in common. */
function keyOf(list: TreeNode): string {
  const item = elementFrom(list.firstChild);
  return DOCS.exec(list.classes)?.[1] ?? (item?.getAttribute('data-listid') === null ? '-' : 'word');
}

/** The items of a list whose levels are stated. Null for all other lists, and those that hold lists. */
function readItems(list: TreeNode): readonly Item[] | null {
  const first = elementFrom(list.firstChild);
  if (first === null || (list.attributes.length === 0 && !statesLevels(list))) return null;
  const ofList = DOCS.exec(list.classes)?.[2];
  const items: Item[] = [];
  for (const node of list.children) {
    if (node.nodeName !== 'LI') return null;
    const stated = ofList === undefined ? levelOf(node) : Number(ofList);
    const kind = node.getAttribute('data-list');
    const isOrdered = kind === null ? list.nodeName === 'OL' : kind === 'ordered';
    items.push({ node, stated, level: (stated ?? 0) + 1, isOrdered, number: null });
  }
  return items.some(({ stated, node }) => stated !== null || node.getAttribute('data-list') !== null) ? items : null;
}

function statesLevels(list: TreeNode): boolean {
  return list.children.some((item) => item.attributes.length > 0);
}

function levelOf(item: TreeNode): number | null {
  const indent = INDENT.exec(item.classes)?.[1];
  if (indent !== undefined) return Number(indent);
  const level = Number(item.getAttribute('data-aria-level') ?? item.getAttribute('aria-level') ?? Number.NaN);
  return Number.isInteger(level) && level >= 1 && level <= 9 ? level - 1 : null;
}

/** Takes out bullets and numbers that are written in the items besides those of the list. */
function takeMarkers(list: TreeNode): void {
  let number = Number(list.getAttribute('start') ?? 1);
  for (const item of list.children) {
    if (item.nodeName === 'LI') takeMarker(item, list.nodeName === 'OL' ? String(number) : null);
    number += 1;
  }
}

function takeMarker(item: TreeNode, number: string | null): void {
  let marker = item.firstChild;
  if (marker?.nodeType === TEXT && marker.data.trim() === '') marker = marker.nextSibling;
  if (marker === null || marker.nodeType !== ELEMENT || marker.nextSibling === null) return;
  const text = marker.firstChild;
  if (text?.nodeType !== TEXT || text.nextSibling !== null || text.data.length > MAX_MARKER) return;
  const sign = text.data.trim();
  if (BULLET.test(sign)) marker.remove();
  if (number === null || (sign !== number && sign.replace(/^\(|[.):]$/g, '') !== number)) return;
  const next = elementFrom(marker.nextSibling);
  const isBeside = next !== null && findRule(next)?.kind !== undefined && findRule(next)?.kind !== 'inline';
  if (isBeside || MARKER_CLASS.test(marker.classes)) marker.remove();
}
