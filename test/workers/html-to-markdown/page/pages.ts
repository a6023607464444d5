import test from 'ava';
import type { PageKind } from '../../../../workers/html-to-markdown/metadata/page-kind.ts';
import { applyRule, type Rule } from '../../../../workers/html-to-markdown/page/rule.ts';
import { Survey } from '../../../../workers/html-to-markdown/page/survey.ts';
import { parseHtml } from '../../../../workers/html-to-markdown/parse/parse-html.ts';
import type { TreeNode } from '../../../../workers/html-to-markdown/parse/tree.ts';

/** A page on which a rule is tested. */
export interface RulePage {
  /** 'article' by default. */
  readonly kind?: PageKind;
  /** 'toll.example' by default. */
  readonly host?: string | null;
  readonly title?: string | null;
  readonly byline?: string | null;
  /** Id of the element with the content. The body by default. */
  readonly root?: string;
}

/** A page, named by the title of its test, and the ids that are left of it, with spaces between. */
export type Row = readonly [what: string, html: string, left: string, page?: RulePage];

export function testRule(rule: Rule, rows: readonly Row[], defaults: RulePage = {}): void {
  for (const [what, html, left, page] of rows)
    test(what, (t) => t.is(leftBy(rule, html, { ...defaults, ...page }), left));
}

function leftBy(
  rule: Rule,
  html: string,
  { kind = 'article', host = 'toll.example', title = null, byline = null, root }: RulePage,
): string {
  const survey = surveyOf(html);
  const { elements, dropped } = survey;
  const about = { kind, host, metadata: { title, byline, description: null } };
  applyRule(rule, { survey, about, root: root === undefined ? 0 : elements.findIndex((node) => idOf(node) === root) });
  return elements.flatMap((node, index) => (dropped[index] === 1 ? [] : (idOf(node) ?? []))).join(' ');
}

/** The survey of a page with `html` as its body. What has the attribute `gone` was dropped. */
export function surveyOf(html: string): Survey {
  const survey = Survey.of(bodyOf(html));
  for (const [index, node] of survey.elements.entries()) if (node.getAttribute('gone') !== null) survey.drop(index);
  return survey;
}

export const idOf = (node: TreeNode | undefined) => node?.getAttribute('id') ?? null;

/** A sentence without links, with exactly this number of characters. `name` is its first word. */
export function prose(name: string, characters: number): string {
  const words = ' goes the keeper of the toll house, who opens the gate for all who paid';
  const text = name + words.repeat(Math.ceil(characters / words.length));
  return `${text.slice(0, characters - 1)}.`;
}

/** The body element of a page with `html` as its body. */
export function bodyOf(html: string): TreeNode {
  return elementIn(parseHtml(`<body>${html}`).document, 'body');
}

/** The first element with a tag name. */
export function elementIn(root: TreeNode, name: string): TreeNode {
  for (const node of root.descendants()) if (node.nodeName === name.toUpperCase()) return node;
  throw new Error(`there is no element ${name}`);
}
