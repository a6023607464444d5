import { type Candidate, candidatesOfPicture, firstOf, loads, readCandidates, widestOf } from '../parse/srcset.ts';
import { elementFrom, previousElement, TEXT, type TreeNode } from '../parse/tree.ts';

/** Attributes with the address of an image that a script loads when it comes into view. */
const LATE = [
  ...['data-src', 'data-original', 'data-lazy-src', 'data-lazy', 'data-hi-res-src', 'data-full-src', 'data-image-src'],
  ...['data-srcset', 'data-lazy-srcset'],
];
/** These may have other addresses too, but are better than none. */
const LAZY = [...LATE.slice(0, 4), 'data-url', ...LATE.slice(4), 'srcset'];
/** Names of placeholder files that are shown until the image is loaded. */
const PLACEHOLDER =
  /(?:^|[_-])(?:placeholder|blank|spacer|transparent|pixel|1x1|loading|lqip)|^(?:gr[ae]y|clear|dummy|empty|lazy|loader|spinner|preloader|trans|1px)\.(?:gif|png|svg|webp)(?:$|\?)/i;
const MAX_FILE_NAME = 100;
/** Classes of images whose address a script sets. Not those of images for which it is done. */
const LATE_CLASS = /(?:^|[\s_-])(?:lazy(?!loaded)|lozad|unveil|lqip|blur(?:-?up|red)?|progressive|preview)/i;
/** Parts of addresses of blurred, tiny or coarse copies of an image. */
const PREVIEW = new RegExp(
  [
    String.raw`[?&](?:w|wid|width|size|sz)=\d{1,2}(?:&|$)`,
    '[?&,/_](?:e_)?bl(?:ur)?[=:_-][1-9]',
    String.raw`[?&](?:q|quality)=(?:1?\d|20)(?:&|$)`,
    String.raw`[,/]w_\d{1,2}[,/]`,
    String.raw`[-_]\d{1,2}x\d{0,2}\.\w+(?:\?|$)`,
    String.raw`[._-](?:lqip|blur(?:red|ry)?|tiny|low-?res|preview)\.\w+(?:\?|$)`,
  ].join('|'),
  'i',
);
/** The width that an address asks for. */
const WIDTH = /(?:[?&](?:w|wid|width)=|[,/]w_|[-_](?=\d{1,4}x\d{0,4}\.\w))(\d{1,4})/i;
const SIZE = /[-_]\d{1,4}x\d{0,4}(?=\.\w+$)|[,/]w_\d{1,4}/gi;
const MAX_ADDRESS = 2000;
/** Nodes of an element that are looked at to find its only image. */
const MAX_NODES = 20;

/** Whether the image only counts visitors. */
export function isTrackingPixel(image: TreeNode): boolean {
  const isOne = isPoint(image.getAttribute('width')) && isPoint(image.getAttribute('height'));
  return isOne && lazySource(image, firstOf) === null;
}

function isPoint(length: string | null): boolean {
  return length !== null && /^\s*[01](?:px)?\s*$/.test(length);
}

/** Sets the address of an image that a script would load later. */
export function restoreImage(image: TreeNode): void {
  const own = image.getAttribute('src')?.trim() ?? '';
  const source = isImage(own) ? sourceOfPreview(image, own) : sourceOfPlaceholder(image, own);
  if (source !== null) setSource(image, source);
}

function setSource(image: TreeNode, source: string): void {
  const own = image.attributes.find(({ name }) => name === 'src');
  if (own === undefined) image.attributes.push({ name: 'src', value: source });
  else own.value = source;
}

/** Whether an address is of an image, not of a placeholder. */
function isImage(address: string): boolean {
  const start = address.lastIndexOf('/') + 1;
  return loads(address) && !PLACEHOLDER.test(address.slice(start, start + MAX_FILE_NAME));
}

type Choice = (candidates: readonly Candidate[]) => string | null;

function sourceOfPlaceholder(image: TreeNode, own: string): string | null {
  // Without an address, the image is for browsers that choose among all, as the first one is for others.
  const choose: Choice = own === '' ? firstOf : (candidates) => widestOf(candidates) ?? firstOf(candidates);
  return lazySource(image, choose) ?? pictureSource(image, choose) ?? noscriptSource(image);
}

/** The full image, if the own address of an image is that of a preview. Null if it is not, as of nearly all images. */
function sourceOfPreview(image: TreeNode, own: string): string | null {
  if (own.length > MAX_ADDRESS || !hasOtherSource(image)) return null;
  const isCoarse = PREVIEW.test(own);
  const isLate = isCoarse || LATE_CLASS.test(image.classes);
  const late = sourceIn(image, LATE, (candidates) => widestOf(candidates) ?? firstOf(candidates));
  // Scripts fill in what is in braces.
  if (late !== null && !late.includes('{') && (isLate || isWider(late, own))) return late;
  const wide = isCoarse ? (sourceIn(image, ['srcset'], widestOf) ?? pictureSource(image, widestOf)) : null;
  return wide ?? (isLate ? noscriptSource(image) : null);
}

/** Whether there may be another address of an image. Most images have none. */
function hasOtherSource({ attributes, parentNode, nextSibling }: TreeNode): boolean {
  if (parentNode?.nodeName === 'PICTURE' || elementFrom(nextSibling)?.nodeName === 'NOSCRIPT') return true;
  return attributes.some(({ name }) => name === 'srcset' || name.startsWith('data-'));
}

/** Whether two addresses are of the same image, and the first asks for more of it. */
function isWider(address: string, other: string): boolean {
  const width = WIDTH.exec(address.slice(0, MAX_ADDRESS))?.[1];
  const otherWidth = WIDTH.exec(other)?.[1];
  if (otherWidth === undefined || (width !== undefined && Number(width) <= Number(otherWidth))) return false;
  return withoutSize(address) === withoutSize(other);
}

function withoutSize(address: string): string {
  const [path = ''] = address.split('?');
  return path.slice(0, MAX_ADDRESS).replace(SIZE, '');
}

function lazySource(image: TreeNode, choose: Choice): string | null {
  return sourceIn(image, LAZY, choose);
}

function sourceIn(image: TreeNode, names: readonly string[], choose: Choice): string | null {
  for (const name of names) {
    const value = image.getAttribute(name);
    const source = value === null ? null : choose(readCandidates(value));
    if (source !== null) return source;
  }
  return null;
}

function pictureSource({ parentNode }: TreeNode, choose: Choice): string | null {
  return parentNode?.nodeName === 'PICTURE' ? choose(candidatesOfPicture(parentNode)) : null;
}

/** The address in a noscript element right after a lazy image. Many pages repeat the image there. */
function noscriptSource(image: TreeNode): string | null {
  let next = image.nextSibling;
  while (next !== null && next.nodeType === TEXT && next.data.trim() === '') next = next.nextSibling;
  if (next?.nodeName !== 'NOSCRIPT') return null;
  for (const at of next.descendants()) {
    const source = at.nodeName === 'IMG' ? (at.getAttribute('src')?.trim() ?? '') : '';
    if (isImage(source)) return source;
  }
  return null;
}

/** Whether a noscript element only repeats the image beside it, which a script loads. */
export function repeatsImage(noscript: TreeNode): boolean {
  const copy = onlyImage(noscript);
  if (copy === null) return false;
  const before = previousElement(noscript);
  const after = elementFrom(noscript.nextSibling);
  return (before !== null && isCopy(copy, before)) || (after !== null && isCopy(copy, after));
}

/** The image that is all that an element shows. */
function onlyImage(node: TreeNode): TreeNode | null {
  let image: TreeNode | null = null;
  let nodes = 0;
  for (const inside of node.descendants()) {
    nodes += 1;
    if (nodes > MAX_NODES || (inside.nodeType === TEXT && inside.data.trim() !== '')) return null;
    if (inside.nodeName !== 'IMG') continue;
    if (image !== null) return null;
    image = inside;
  }
  return image;
}

function isCopy(copy: TreeNode, beside: TreeNode): boolean {
  const image = beside.nodeName === 'IMG' ? beside : beside.nodeName === 'NOSCRIPT' ? null : onlyImage(beside);
  if (image === null) return false;
  restoreImage(image);
  const address = image.getAttribute('src')?.trim() ?? '';
  if (!isImage(address)) return false;
  const alternative = image.getAttribute('alt') ?? '';
  if (alternative !== '' && alternative === copy.getAttribute('alt')) return true;
  return withoutSize(address) === withoutSize(copy.getAttribute('src')?.trim() ?? '');
}
