import { TEXT, type TreeNode } from '../parse/tree.ts';

/** Attributes with the address of an image that a script loads when it comes into view. */
const LAZY = [
  ...['data-src', 'data-original', 'data-lazy-src', 'data-lazy', 'data-url', 'data-hi-res-src'],
  ...['data-srcset', 'data-lazy-srcset', 'srcset'],
];
/** The part of a `srcset` that says for which screens a candidate is. */
const DESCRIPTOR = /\s[\d.]+[wx]\s*(?:,|$)/;
const ONLY_DESCRIPTOR = /^[\d.]+[wx]$/;
/** Addresses that load nothing. */
const EMPTY = /^(?:data:|about:)/i;
/** Names of placeholder files that are shown until the image is loaded. */
const PLACEHOLDER = /(?:^|[_-])(?:placeholder|blank|spacer|transparent|pixel|1x1|loading)/i;
const MAX_FILE_NAME = 100;

/** Whether the image only counts visitors. */
export function isTrackingPixel(image: TreeNode): boolean {
  const isOne = isPoint(image.getAttribute('width')) && isPoint(image.getAttribute('height'));
  return isOne && lazySource(image) === null;
}

function isPoint(length: string | null): boolean {
  return length !== null && /^\s*[01](?:px)?\s*$/.test(length);
}

/** Sets the address of an image that a script would load later. */
export function restoreImage(image: TreeNode): void {
  if (hasSource(image)) return;
  const source = lazySource(image) ?? pictureSource(image) ?? noscriptSource(image);
  if (source === null) return;
  const own = image.attributes.find(({ name }) => name === 'src');
  if (own === undefined) image.attributes.push({ name: 'src', value: source });
  else own.value = source;
}

function hasSource(image: TreeNode): boolean {
  const source = image.getAttribute('src')?.trim();
  if (source === undefined || source === '') return false;
  const start = source.lastIndexOf('/') + 1;
  return !EMPTY.test(source) && !PLACEHOLDER.test(source.slice(start, start + MAX_FILE_NAME));
}

function lazySource(image: TreeNode): string | null {
  for (const name of LAZY) {
    const value = readAddress(image.getAttribute(name));
    if (value !== null) return value;
  }
  return null;
}

function pictureSource({ parentNode }: TreeNode): string | null {
  if (parentNode?.nodeName !== 'PICTURE') return null;
  for (let at = parentNode.firstChild; at !== null; at = at.nextSibling) {
    if (at.nodeName !== 'SOURCE') continue;
    const value = readAddress(at.getAttribute('srcset')) ?? readAddress(at.getAttribute('data-srcset'));
    if (value !== null) return value;
  }
  return null;
}

/** The address in a noscript element right after a lazy image. Many pages repeat the image there. */
function noscriptSource(image: TreeNode): string | null {
  let next = image.nextSibling;
  while (next !== null && next.nodeType === TEXT && next.data.trim() === '') next = next.nextSibling;
  if (next?.nodeName !== 'NOSCRIPT') return null;
  for (const at of next.descendants()) if (at.nodeName === 'IMG' && hasSource(at)) return at.getAttribute('src');
  return null;
}

/** An address, or the first address of a `srcset` (WHATWG HTML 4.8.4.2.2) that loads an image. */
function readAddress(value: string | null): string | null {
  if (value === null) return null;
  const addresses = DESCRIPTOR.test(value)
    ? value.split(/,\s+/).map((part) => part.trim().replace(/\s.*$/s, ''))
    : [value.trim()];
  return addresses.find((address) => address !== '' && !EMPTY.test(address) && !ONLY_DESCRIPTOR.test(address)) ?? null;
}
