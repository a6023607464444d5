type Child = Node | string;

/** Makes an element. Text is inserted as text, never as HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** An element of the page. @throws {TypeError} if the page has none */
export function find<Kind extends Element>(selector: string, kind: new () => Kind): Kind {
  const found = document.querySelector(selector);
  if (found instanceof kind) return found;
  throw new TypeError(`the page has no ${selector}`);
}

/** JSON for people. */
export const codeBlock = (text: string): HTMLPreElement => element('pre', { tabindex: '0' }, element('code', {}, text));
