import type { TreeNode } from '../parse/tree.ts';
import { contentAt } from './hosts.ts';

export interface Embed {
  readonly label: string;
  readonly address: string;
}

/** Attributes with the address of a frame, the last ones until it comes into view or the reader consents. */
const ADDRESSES = [
  ...['src', 'data-src', 'data-lazy-src', 'data-litespeed-src', 'data-rocket-src', 'data-original', 'data-lazy'],
  ...['data-url', 'data-src-cmplz', 'data-cookieblock-src', 'data-cmp-src', 'data-consent-src'],
];
/** Attributes of elements that stand for a player of one site: the name of the attribute with the id, and the address before it. */
const PLAYERS: ReadonlyMap<string, readonly [attributes: readonly string[], address: string]> = new Map([
  ['LITE-YOUTUBE', [['videoid', 'video-id'], 'https://www.youtube.com/watch?v=']],
  ['YOUTUBE-VIDEO', [['videoid', 'video-id'], 'https://www.youtube.com/watch?v=']],
  ['YOUTUBE-EMBED', [['videoid', 'video-id'], 'https://www.youtube.com/watch?v=']],
  ['AMP-YOUTUBE', [['data-videoid'], 'https://www.youtube.com/watch?v=']],
  ['LITE-VIMEO', [['videoid', 'video-id'], 'https://vimeo.com/']],
  ['VIMEO-VIDEO', [['videoid', 'video-id'], 'https://vimeo.com/']],
  ['AMP-VIMEO', [['data-videoid'], 'https://vimeo.com/']],
  ['AMP-DAILYMOTION', [['data-videoid'], 'https://www.dailymotion.com/video/']],
  ['AMP-TWITTER', [['data-tweetid'], 'https://twitter.com/i/status/']],
  ['AMP-INSTAGRAM', [['data-shortcode'], 'https://www.instagram.com/p/']],
]);
const FRAMES = ['IFRAME', 'AMP-IFRAME', 'EMBED'];
/** Elements that stand for other content, in lower case. */
export const EMBED_NAMES: readonly string[] = [...FRAMES, ...PLAYERS.keys(), 'OBJECT'].map((name) =>
  name.toLowerCase(),
);

const ID = /^[\w-]{1,100}$/;
/** Addresses that load no page. */
const EMPTY = /^\s*(?:about:|javascript:|data:|blob:|#|$)/i;
/** A link in the page that a frame shows until it is clicked. */
const LINK = /<a\s[^<>]{0,200}?href\s*=\s*["']?([^"'\s<>]{1,1000})/i;
const MAX_SRCDOC = 4000;
const MAX_TITLE = 300;
/** Files that a page shows inside, which the reader can open. */
const FILE = /\.(?:pdf|mp4|m4v|webm|ogv|mov|mp3|m4a|ogg|wav|docx?|pptx?|xlsx?|epub)(?:$|[?#])/i;
const FILE_TYPE = /^\s*(?:application\/pdf|video\/|audio\/)/i;
/** Titles of frames that are not for readers, or that only say that they are frames. */
const OTHER_TITLE =
  /captcha|\badvert|\bsponsored|^(?:ads?|ad frame|anzeige|werbung|publicité|publicidad|pubblicità|annonse|reklama|реклама|広告|iframe|frame|embed|embedded (?:content|frame|page)|untitled|blank|empty|widget|content|external content|(?:third|3rd)[ -]party (?:ad )?content)$|\bads? (?:banner|slot|unit)\b|\b(?:cookie|consent|gdpr|ccpa|tracking|analytics|pixel|privacy (?:manager|center))|\b(?:sign in|log ?in) with|\b(?:like|follow|share|tweet|subscribe|chat) (?:button|widget|window)|newsletter|\bchat\b|\bintercom\b|\bpayment\b/i;
const POINT = /^\s*[01](?:px)?\s*$/;

/** The link for an element that shows other content. Null if readers need none: advertisements, counters, empty frames. */
export function readEmbed(node: TreeNode): Embed | null {
  const { nodeName, attributes } = node;
  if (attributes.length === 0) return null;
  const player = PLAYERS.get(nodeName);
  const address = (player === undefined ? null : playerAddress(node, player)) ?? frameAddress(node);
  if (address === null || isUnseen(node)) return null;
  const what = contentAt(address);
  if (what === null) return null;
  const title = titleOf(node);
  const named = title !== '' && !OTHER_TITLE.test(title) ? title : (what ?? fileName(node, address));
  const isFrame = FRAMES.includes(nodeName) || player !== undefined;
  // Any page can be in a frame with a title. Other elements also show what the page is made of.
  const isKnown = what !== undefined || isFile(node, address) || (isFrame && nodeName !== 'EMBED');
  return named === '' || !isKnown ? null : { label: named, address };
}

function playerAddress(node: TreeNode, [names, before]: readonly [readonly string[], string]): string | null {
  for (const name of names) {
    const id = node.getAttribute(name)?.trim();
    if (id !== undefined && ID.test(id)) return before + id;
  }
  return null;
}

function frameAddress(node: TreeNode): string | null {
  const names = node.nodeName === 'OBJECT' ? ['data'] : ADDRESSES;
  for (const name of names) {
    const value = node.getAttribute(name);
    if (value !== null && !EMPTY.test(value)) return value.trim();
  }
  const page = node.getAttribute('srcdoc');
  return page === null ? null : (LINK.exec(page.slice(0, MAX_SRCDOC))?.[1]?.replaceAll('&amp;', '&') ?? null);
}

/** Whether a frame is too small to be seen, or hidden from all readers. */
function isUnseen(node: TreeNode): boolean {
  const width = node.getAttribute('width');
  const height = node.getAttribute('height');
  if ((width !== null && POINT.test(width)) || (height !== null && POINT.test(height))) return true;
  return node.getAttribute('aria-hidden') === 'true';
}

function titleOf(node: TreeNode): string {
  for (const name of ['title', 'aria-label', 'playlabel', 'videotitle']) {
    const value = node.getAttribute(name)?.slice(0, MAX_TITLE).replace(/\s+/g, ' ').trim();
    if (value !== undefined && value !== '') return value.replace(/^(?:Play: |Play video: )/i, '');
  }
  return '';
}

function isFile(node: TreeNode, address: string): boolean {
  return FILE.test(address) || FILE_TYPE.test(node.getAttribute('type') ?? '');
}

/** The name of the file at an address. '' if it has no such file. */
function fileName(node: TreeNode, address: string): string {
  if (!isFile(node, address)) return '';
  const [path = ''] = address.split(/[?#]/);
  return path.slice(path.lastIndexOf('/') + 1);
}
