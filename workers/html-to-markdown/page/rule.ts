import { defined } from '../../exact/defined.ts';
import type { About } from '../metadata/metadata.ts';
import type { PageKind } from '../metadata/page-kind.ts';
import type { Part } from './part.ts';
import type { Survey } from './survey.ts';

/** A page whose parts are judged. */
export interface Page {
  readonly survey: Survey;
  readonly about: Pick<About, 'kind' | 'host' | 'metadata'>;
  /** Index of the element with the content: 0, the body, until the frame of the page was dropped. */
  readonly root: number;
}

/** What a rule finds at an element: a part to judge, or whether it looks inside. */
export type Found = Part | 'into' | 'past';

/** One reason for which parts of a page are left out. */
export interface Rule {
  readonly name: string;
  /** The kinds of pages that it is for. */
  readonly kinds: readonly PageKind[];
  /** Starts on a page. */
  readonly begin: (page: Page) => Judge;
}

/** Judges the parts of one page. */
export interface Judge {
  /** What the rule finds at an element. It is asked for each element of the content that is still there, in document order. */
  readonly find: (index: number) => Found;
  /** Whether a part has what speaks for leaving it out. */
  readonly isFrame: (part: Part) => boolean;
  /** Whether it also has what speaks for keeping it, which decides. */
  readonly isContent: (part: Part) => boolean;
}

export const ALL_KINDS: readonly PageKind[] = ['home', 'thread', 'article', 'list', 'product', 'other'];

/**
 * Leads a rule to the elements that it looks for, so that it looks into no others. `wanted`: their indices in document order.
 * @returns what the rule finds at an element; 'it' for one of them
 */
export function leadTo({ ends }: Survey, wanted: readonly number[]): (index: number) => 'it' | 'into' | 'past' {
  let at = 0;
  return (index) => {
    while (at < wanted.length && defined(wanted[at]) < index) at += 1;
    const next = wanted[at] ?? Number.POSITIVE_INFINITY;
    if (next === index) return 'it';
    return next < defined(ends[index]) ? 'into' : 'past';
  };
}

/** Is told of each part that a rule drops, before it is dropped. */
export type DropListener = (rule: Rule, part: Part) => void;

/** Drops the parts of a page that a rule leaves out. */
export function applyRule(rule: Rule, page: Page, onDrop?: DropListener): void {
  if (!rule.kinds.includes(page.about.kind)) return;
  const { survey, root } = page;
  const { ends, dropped } = survey;
  const { find, isFrame, isContent } = rule.begin(page);
  const end = defined(ends[root]);
  for (let index = root + 1; index < end; ) {
    const found = dropped[index] === 1 ? 'past' : find(index);
    if (typeof found !== 'string' && isFrame(found) && !isContent(found)) {
      onDrop?.(rule, found);
      for (const part of found.roots) survey.drop(part);
    }
    index = found === 'past' || dropped[index] === 1 ? defined(ends[index]) : index + 1;
  }
}
