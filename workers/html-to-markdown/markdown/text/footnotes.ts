import type { TreeNode } from '../../parse/tree.ts';
import { verbatim } from './marks.ts';
import { readText } from './read-text.ts';

const NOTE_NAMES = new Set(['LI', 'P', 'DIV', 'DD', 'ASIDE']);
const CALL_TEXT = /^\[?\s*(\d{1,4})\s*\]?$/;
const BACK_SIGN = /^(?:\\?\^|↑)\s+/;
/** How far the target of a link may be from the element that is meant. */
const NEAR = 3;
const MAX_DEPTH_IN_NOTE = 8;
const MAX_CALL_CHARACTERS = 12;

interface Link {
  readonly node: TreeNode;
  readonly target: TreeNode;
  /** Calls come before their notes, links back after their calls. */
  readonly isForward: boolean;
}

interface Note {
  readonly label: string;
  readonly calls: Set<TreeNode>;
  readonly backs: Set<TreeNode>;
  isPlain: boolean;
}

/**
 * The notes of one document: links of a number to a note that links back to the number. Whatever is not sure to be one
 * stays a link. Looks at the document only once it has a link into itself.
 */
export class Footnotes {
  private readonly root: TreeNode;
  private notes: ReadonlyMap<TreeNode, Note> | undefined;
  private readonly labels = new Map<TreeNode, string>();
  private readonly backs = new Set<TreeNode>();

  constructor(root: TreeNode) {
    this.root = root;
  }

  roleOf(link: TreeNode): 'call' | 'back' | null {
    if (!link.getAttribute('href')?.startsWith('#')) return null;
    this.find();
    if (this.labels.has(link)) return 'call';
    return this.backs.has(link) ? 'back' : null;
  }

  /** The call that is all there is in an element. */
  callWithin(node: TreeNode): TreeNode | null {
    let child = node.firstChild;
    while (child !== null && child.nodeType !== 1) child = child.nextSibling;
    if (child?.nodeName !== 'A' || this.roleOf(child) !== 'call') return null;
    return CALL_TEXT.test(readText(node).trim()) ? child : null;
  }

  writeCall(link: TreeNode): string {
    return verbatim(`[^${this.labels.get(link)}]`);
  }

  isNote(node: TreeNode): boolean {
    return this.notes?.has(node) ?? false;
  }

  writeNote(node: TreeNode, content: string): string {
    const text = content.replace(BACK_SIGN, '').replace(/\n(?!\n|$)/g, '\n    ');
    return `[^${this.notes?.get(node)?.label}]: ${text}`;
  }

  private find(): void {
    if (this.notes !== undefined) return;
    const notes = findNotes(findLinks(this.root));
    for (const note of notes.values()) {
      for (const call of note.calls) this.labels.set(call, note.label);
      for (const back of note.backs) this.backs.add(back);
    }
    this.notes = notes;
  }
}

function findLinks(root: TreeNode): Link[] {
  const targets = new Map<string, { readonly node: TreeNode; readonly order: number }>();
  const links: { readonly node: TreeNode; readonly order: number }[] = [];
  let order = 0;
  for (const node of root.descendants()) {
    if (node.nodeType !== 1) continue;
    order += 1;
    const id = node.getAttribute('id') ?? (node.nodeName === 'A' ? node.getAttribute('name') : null);
    if (id !== null && !targets.has(id)) targets.set(id, { node, order });
    if (node.nodeName === 'A' && node.getAttribute('href')?.startsWith('#')) links.push({ node, order });
  }
  return links.flatMap((link) => {
    const target = targets.get(readFragment(link.node.getAttribute('href') ?? ''));
    if (target === undefined) return [];
    return [{ node: link.node, target: target.node, isForward: target.order > link.order }];
  });
}

function readFragment(href: string): string {
  try {
    return decodeURIComponent(href.slice(1));
  } catch {
    return href.slice(1);
  }
}

function findNotes(links: readonly Link[]): Map<TreeNode, Note> {
  const notes = new Map<TreeNode, Note>();
  for (const { node, target, isForward } of links) {
    if (!isForward) continue;
    const label = readLabel(node);
    const place = label === null ? null : findPlace(target);
    if (label === null || place === null || findAncestor(node, (at) => at === place, MAX_DEPTH_IN_NOTE)) continue;
    const note = notes.get(place) ?? { label, calls: new Set(), backs: new Set(), isPlain: true };
    if (note.label !== label) note.isPlain = false;
    note.calls.add(node);
    notes.set(place, note);
  }
  for (const { node, target, isForward } of links) {
    if (isForward) continue;
    const place = findAncestor(node, (at) => notes.has(at), MAX_DEPTH_IN_NOTE);
    const note = place === null ? undefined : notes.get(place);
    if (note !== undefined && callsNear(target).some((call) => note.calls.has(call))) note.backs.add(node);
  }
  return keepSure(notes);
}

/** Leaves out notes without a link back, labels that are given twice, and lists that hold other items. */
function keepSure(notes: Map<TreeNode, Note>): Map<TreeNode, Note> {
  const uses = new Map<string, number>();
  for (const { label } of notes.values()) uses.set(label, (uses.get(label) ?? 0) + 1);
  const isSure = (place: TreeNode) => {
    const note = notes.get(place);
    return note?.isPlain === true && note.backs.size > 0 && uses.get(note.label) === 1;
  };
  const lists = new Map<TreeNode | null, boolean>();
  const isSureList = (list: TreeNode | null) => {
    const known = lists.get(list);
    if (known !== undefined) return known;
    let isAll = true;
    for (let item = list?.firstChild ?? null; item !== null && isAll; item = item.nextSibling) {
      if (item.nodeType === 1) isAll = isSure(item);
    }
    lists.set(list, isAll);
    return isAll;
  };
  return new Map(
    [...notes].filter(([place]) => isSure(place) && (place.nodeName !== 'LI' || isSureList(place.parentNode))),
  );
}

function readLabel(link: TreeNode): string | null {
  const text = readText(link).trim();
  return text.length > MAX_CALL_CHARACTERS ? null : (CALL_TEXT.exec(text)?.[1] ?? null);
}

/** The block of a note: the target, or what the target stands in. Cells of tables hold no notes. */
function findPlace(target: TreeNode): TreeNode | null {
  const place = findAncestor(target, ({ nodeName }) => NOTE_NAMES.has(nodeName), NEAR);
  if (place === null || findAncestor(place, ({ nodeName }) => nodeName === 'TABLE', Number.POSITIVE_INFINITY)) {
    return null;
  }
  return place;
}

/** The node itself or the nearest element around it that fits. */
function findAncestor(node: TreeNode, fits: (node: TreeNode) => boolean, levels: number): TreeNode | null {
  let at: TreeNode | null = node;
  for (let level = 0; at !== null && level <= levels; level += 1, at = at.parentNode) if (fits(at)) return at;
  return null;
}

/** What a link back may mean by its target: the call, or what is right around, in or beside it. */
function callsNear(target: TreeNode): TreeNode[] {
  const near: TreeNode[] = [];
  let within: TreeNode | null = target;
  for (let level = 0; within !== null && level < NEAR; level += 1) {
    near.push(within);
    within = firstElement(within.firstChild);
  }
  if (target.parentNode !== null) near.push(target.parentNode);
  const next = firstElement(target.nextSibling);
  if (next !== null) near.push(next);
  const inNext = firstElement(next?.firstChild ?? null);
  if (inNext !== null) near.push(inNext);
  return near;
}

function firstElement(node: TreeNode | null): TreeNode | null {
  let at = node;
  while (at !== null && at.nodeType !== 1) at = at.nextSibling;
  return at;
}
