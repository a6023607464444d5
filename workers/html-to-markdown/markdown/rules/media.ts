import { candidatesOfPicture, firstOf } from '../../parse/srcset.ts';
import type { TreeNode } from '../../parse/tree.ts';
import { escapeText, writeTitle } from '../text/escape.ts';
import { verbatim, withoutMarks } from '../text/marks.ts';
import { isMathImage, readMathImage } from './math.ts';
import type { MarkdownRule, RuleOptions } from './rule.ts';

/** Addresses that can be of an image. Links may have other schemes too. */
const IMAGE_ADDRESS = /^(?:https?:|[^:]*$|[^:]*[/?#])/i;

/** A script sets the address of a late video. */
const LATE_SOURCES = ['src', 'data-src'];
/** Classes of pictures of one character. */
const EMOJI_CLASS = /(?:^|[\s_-])(?:emoji|emoticon|twemoji|smil(?:ey|ie))(?:$|[\s_-])/i;
const EMOJI =
  /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|[\d#*]\ufe0f?\u20e3|[\u200d\ufe0f]|[\u{e0020}-\u{e007f}])+$/u;
const MAX_EMOJI = 40;
/** Most nodes of a picture that are looked at. */
const MAX_STEPS = 16;

export const mediaRules: Readonly<Record<string, MarkdownRule>> = {
  image: {
    filter: ['img', 'amp-img', 'amp-anim'],
    kind: 'leaf',
    kindOf: (node) => (isMathImage(node) ? 'skip' : 'leaf'),
    replacement: (_, node, options) => {
      const formula = readMathImage(node);
      if (formula !== null) return formula;
      const alternative = readLine(node, 'alt');
      if (isEmoji(node, alternative)) return alternative;
      const address = readSource(node, options);
      if (address === null) return alternative;
      const title = withoutMarks(writeTitle(node.getAttribute('title')));
      return verbatim(`![${escapeText(alternative)}](${address}${title})`);
    },
  },
  // Its image is an element of its own. Without one, browsers show nothing, but scripts may add it.
  picture: {
    filter: ['picture'],
    kind: 'leaf',
    kindOf: (node) => (holdsImage(node) ? null : 'leaf'),
    replacement: (_, node, { resolve }) => {
      const source = firstOf(candidatesOfPicture(node));
      const address = source === null ? null : resolve(source);
      if (address === null || !IMAGE_ADDRESS.test(address)) return '';
      return verbatim(`![${escapeText(readLine(node, 'alt') || readLine(node, 'title'))}](${address})`);
    },
  },
  // The content of the element is for browsers that cannot play it.
  playable: {
    filter: ['video', 'audio', 'amp-video', 'amp-audio'],
    kind: 'leaf',
    replacement: (_, node, options) => {
      const address = readSource(node, options, LATE_SOURCES) ?? readFirstSource(node, options);
      if (address === null || isWithinLink(node)) return '';
      const label = readLine(node, 'aria-label') || readLine(node, 'title');
      if (label === '' && isBackground(node)) return '';
      return verbatim(`[${escapeText(label || node.tagName.replace('amp-', ''))}](${address})`);
    },
  },
};

/** Whether a video without a name is an animation behind the page: it plays by itself, without an end or a sound. */
function isBackground(node: TreeNode): boolean {
  if (node.getAttribute('controls') !== null) return false;
  return (
    node.getAttribute('poster') === null ||
    ['autoplay', 'loop', 'muted'].some((name) => node.getAttribute(name) !== null)
  );
}

/** Whether an image is a character of the text around it. */
function isEmoji(image: TreeNode, alternative: string): boolean {
  if (alternative === '' || alternative.length > MAX_EMOJI) return false;
  return EMOJI.test(alternative) || EMOJI_CLASS.test(image.classes);
}

function holdsImage(picture: TreeNode): boolean {
  let steps = 0;
  for (const { nodeName } of picture.descendants()) {
    if (nodeName === 'IMG' || nodeName === 'AMP-IMG') return true;
    steps += 1;
    if (steps === MAX_STEPS) break;
  }
  return false;
}

function readLine(node: TreeNode, name: string): string {
  const value = node.getAttribute(name);
  return value === null ? '' : withoutMarks(value).replace(/\s+/g, ' ').trim();
}

function readSource(node: TreeNode, { resolve }: RuleOptions, names = ['src']): string | null {
  for (const name of names) {
    const source = node.getAttribute(name);
    const address = source === null ? null : resolve(source);
    if (address !== null && IMAGE_ADDRESS.test(address)) return address;
  }
  return null;
}

function readFirstSource(node: TreeNode, options: RuleOptions): string | null {
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.nodeName !== 'SOURCE') continue;
    const address = readSource(child, options, LATE_SOURCES);
    if (address !== null) return address;
  }
  return null;
}

export function isWithinLink(node: TreeNode): boolean {
  for (let at = node.parentNode; at !== null; at = at.parentNode) if (at.nodeName === 'A') return true;
  return false;
}
