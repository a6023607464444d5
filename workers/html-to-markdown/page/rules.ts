import { asides } from './asides.ts';
import { cardLists } from './card-lists.ts';
import { details } from './details.ts';
import { emptyItems } from './empty-items.ts';
import { frame } from './frame.ts';
import { labeledLinks } from './labeled-links.ts';
import { nextArticles } from './next-articles.ts';
import { outside } from './outside.ts';
import { repeats } from './repeats.ts';
import type { Rule } from './rule.ts';
import { sameLinks } from './same-links.ts';
import { signUps } from './sign-ups.ts';

/** What parts of a page are left out, in this order: the frame, before it is known which element has the content. */
export const OF_PAGE: readonly Rule[] = [signUps, frame, nextArticles, asides, labeledLinks];
/** The rest, within that element. */
export const OF_CONTENT: readonly Rule[] = [outside, cardLists, details, sameLinks, repeats, emptyItems];
