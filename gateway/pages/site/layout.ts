import { type Html, html } from './html.ts';
import { headingsOf } from './render-markdown.ts';

/** A page of the site, without its frame. */
export interface Page {
  readonly title: string;
  /** One sentence for search engines. */
  readonly description: string;
  readonly main: Html;
  /** Path of the Markdown with the same content. */
  readonly markdown?: string | undefined;
  /** Paths of modules for the browser. The page works without them. */
  readonly scripts?: readonly string[];
  readonly stylesheets?: readonly string[];
  /** A list of the other pages of its part of the site. */
  readonly aside?: Html | undefined;
  /** For content that brings a `main` element of its own, and takes the whole width. */
  readonly isWide?: boolean;
}

export interface Frame {
  /** Paths of the parts of the site, with the names of their links. */
  readonly links: readonly (readonly [path: string, name: string])[];
  readonly icon: string;
  readonly stylesheet: string;
  /** A module that adds buttons to code. */
  readonly copyScript: string;
}

/** An item of a list of links. `isHere`: it leads to the page itself, or to the part that has it. */
export const navigationLink = (href: string, name: string, isHere: boolean): Html =>
  html`<li><a href="${href}"${isHere ? html` aria-current="page"` : undefined}>${name}</a></li>`;

/** The whole document: one header with the navigation and the search, the page, and a footer. */
export function renderPage(
  { title, description, main, markdown, scripts = [], stylesheets = [], aside, isWide = false }: Page,
  { frame, path }: { readonly frame: Frame; readonly path: string },
): string {
  const links = frame.links.map(([href, name]) => {
    const isHere = path === href || (href !== '/' && path.startsWith(`${href}/`));
    return navigationLink(href, name, isHere);
  });
  const modules = main.text.includes('<pre') ? [...scripts, frame.copyScript] : scripts;
  const headings = aside === undefined ? [] : headingsOf(main);
  const contents = headings.map(
    ({ id, text, isInner }) => html`<li${isInner ? html` class="inner"` : undefined}><a href="#${id}">${text}</a></li>`,
  );
  // Twice, because an element that can be folded cannot be open on wide screens alone: styles show one of both.
  const navigation = html`<nav aria-label="Site"><ul>${links}</ul></nav>`;
  const twin =
    markdown === undefined ? undefined : html`<link rel="alternate" type="text/markdown" href="${markdown}">`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === 'Tollhouse' ? title : `${title} · Tollhouse`}</title>
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${frame.icon}" type="image/svg+xml">
${[frame.stylesheet, ...stylesheets].map((href) => html`<link rel="stylesheet" href="${href}">`)}
${twin}
${modules.map((src) => html`<script type="module" src="${src}"></script>`)}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${isWide ? html`<div class="top" role="region" aria-label="Site header">` : html`<header class="top">`}
<a class="brand" href="/"><img src="${frame.icon}" alt="" width="24" height="24">Tollhouse</a>
${navigation}
<form action="/search" role="search"><input type="search" name="q" placeholder="Search" aria-label="Search the site" required maxlength="100"><button>Search</button></form>
<details class="menu"><summary>Menu</summary>${navigation}</details>
${isWide ? html`</div>` : html`</header>`}
<div class="${isWide ? 'wide' : aside === undefined ? 'plain' : 'with-aside'}">
${isWide ? html`<div id="main" tabindex="-1">${main}</div>` : html`<main id="main" tabindex="-1">${main}</main>`}
${aside === undefined ? undefined : html`<nav class="aside" aria-label="Pages of this part">${aside}</nav>`}
${headings.length < 2 ? undefined : html`<nav class="contents" aria-labelledby="contents-title"><h2 id="contents-title">On this page</h2><ul>${contents}</ul></nav>`}
</div>
<footer>
<p><a href="/docs">Documents</a> · <a href="/reference">API reference</a> · <a href="/openapi.json">OpenAPI</a> · <a href="/agent.json">agent.json</a> · <a href="/llms.txt">llms.txt</a>${markdown === undefined ? undefined : html` · <a href="${markdown}">This page as Markdown</a>`}</p>
</footer>
</body>
</html>
`.text;
}
