import { defined } from '../../exact/defined.ts';
import type { PageKind } from '../metadata/page-kind.ts';
import type { TreeNode } from '../parse/tree.ts';
import type { Survey } from './survey.ts';

/** A longer caption is a part of the text. */
const MAX_CHARACTERS = 600;
/** Captions with more of the text than this are the text: a story in pictures. */
const MOST_OF_TEXT = 0.3;
/** The class that WordPress gives to captions that are paragraphs. */
const CAPTION_CLASS = /(?:^|\s)wp-caption-text(?:\s|$)/;
/** Addresses that an image can have. Images with others are not written. */
const IMAGE_ADDRESS = /^(?:https?:|[^:]*$|[^:]*[/?#])/i;
/** A caption beside one of these is not only about a picture. */
const OTHER_MEDIA = new Set('TABLE PRE BLOCKQUOTE VIDEO AUDIO IFRAME OBJECT UL OL'.split(' '));

interface Caption {
  readonly index: number;
  readonly picture: TreeNode;
}

/**
 * Makes the captions of an article's pictures the titles of these pictures. They are about the pictures, and would interrupt
 * the text.
 */
export function moveCaptions(survey: Survey, root: number, kind: PageKind): void {
  if (kind !== 'article') return;
  const captions = findCaptions(survey, root);
  const characters = captions.reduce((sum, { index }) => sum + defined(survey.text[index]), 0);
  if (characters > defined(survey.text[root]) * MOST_OF_TEXT) return;
  for (const { index, picture } of captions) {
    setTitle(picture, defined(survey.elements[index]).textContent);
    survey.drop(index);
  }
}

/** The captions of figures that have one caption and one picture. */
function findCaptions(survey: Survey, root: number): readonly Caption[] {
  const { elements, ends, parents, text, dropped } = survey;
  const ofFigure = new Map<number, number[]>();
  const end = defined(ends[root]);
  for (let index = root + 1; index < end; ) {
    const isCaption = dropped[index] !== 1 && text[index] !== 0 && isNamedCaption(defined(elements[index]));
    if (isCaption) {
      const figure = defined(parents[index]);
      const captions = ofFigure.get(figure);
      if (captions === undefined) ofFigure.set(figure, [index]);
      else captions.push(index);
    }
    index = isCaption || dropped[index] === 1 ? defined(ends[index]) : index + 1;
  }
  return [...ofFigure].flatMap(([figure, [index, another]]) => {
    if (index === undefined || another !== undefined || defined(text[index]) > MAX_CHARACTERS) return [];
    const picture = findPicture(survey, figure);
    return picture === null ? [] : [{ index, picture }];
  });
}

function isNamedCaption(node: TreeNode): boolean {
  return node.nodeName === 'FIGCAPTION' || (node.nodeName === 'P' && CAPTION_CLASS.test(node.classes));
}

/** The picture of a figure. Null if it has several, or none that is written, or other media. */
function findPicture({ elements, ends, dropped }: Survey, figure: number): TreeNode | null {
  let picture: TreeNode | null = null;
  for (let index = figure + 1; index < defined(ends[figure]); index += 1) {
    const node = defined(elements[index]);
    if (dropped[index] === 1) continue;
    const isImage = node.nodeName === 'IMG';
    if (OTHER_MEDIA.has(node.nodeName) || (isImage && picture !== null)) return null;
    if (isImage) picture = node;
  }
  const address = picture?.getAttribute('src')?.trim();
  return address !== undefined && address !== '' && IMAGE_ADDRESS.test(address) ? picture : null;
}

function setTitle(picture: TreeNode, title: string): void {
  const own = picture.attributes.find(({ name }) => name === 'title');
  if (own === undefined) picture.attributes.push({ name: 'title', value: title });
  else own.value = title;
}
