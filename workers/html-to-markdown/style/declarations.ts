import type { TreeNode } from '../parse/tree.ts';

/** Longer style attributes are read up to here, so that no attribute takes long however often it is asked for. */
const MAX_CHARACTERS = 4096;
const NONE: ReadonlyMap<string, string> = new Map();
const PROPERTY = /^-?[a-z-][\w-]*$/;
/** What ends a declaration, or hides its end. */
const SIGNS = /[;"'()\\/]/g;

const MAX_KNOWN = 500;
const MAX_KNOWN_CHARACTERS = 300;

/** Remembers what is read of style attributes, since pages have the same few styles often. */
export function byStyle<Value>(read: (style: string) => Value): (style: string) => Value {
  const known = new Map<string, { readonly value: Value }>();
  return (style) => {
    const found = known.get(style);
    if (found !== undefined) return found.value;
    const value = read(style);
    if (style.length > MAX_KNOWN_CHARACTERS) return value;
    if (known.size === MAX_KNOWN) known.clear();
    // A copy, because the style is a slice of the page and would keep the page in memory.
    known.set(` ${style}`.slice(1), { value });
    return value;
  };
}

/** The declarations of a node's style attribute, as `readDeclarations` reads them. */
export function declarationsOf(node: TreeNode): ReadonlyMap<string, string> {
  const style = node.attributes.length === 0 ? null : node.getAttribute('style');
  return style === null || style === '' ? NONE : known(style);
}

const known = byStyle(readDeclarations);

/**
 * The declarations of a style attribute by property: names and values in lower case, without `!important`. The last declaration of a
 * property counts, and an important one before others (CSS Cascading 4, 6.4).
 */
export function readDeclarations(style: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const important = new Set<string>();
  for (const declaration of split(style)) {
    const colon = declaration.indexOf(':');
    const name = declaration.slice(0, Math.max(0, colon)).trim();
    if (!PROPERTY.test(name)) continue;
    const written = declaration.slice(colon + 1).trim();
    const sign = written.lastIndexOf('!');
    const isImportant = sign >= 0 && written.slice(sign + 1).trim() === 'important';
    if (important.has(name) && !isImportant) continue;
    if (isImportant) important.add(name);
    values.set(name, isImportant ? written.slice(0, sign).trim() : written);
  }
  return values;
}

/** The declarations of a style. A semicolon in a string, in brackets or in a comment ends none. */
function split(style: string): string[] {
  const text = style.slice(0, MAX_CHARACTERS).toLowerCase();
  const declarations: string[] = [];
  let declaration = '';
  let from = 0;
  let depth = 0;
  SIGNS.lastIndex = 0;
  for (let found = SIGNS.exec(text); found !== null; found = SIGNS.exec(text)) {
    const at = found.index;
    const [sign] = found;
    if (sign === '\\') SIGNS.lastIndex = at + 2;
    else if (sign === '(') depth += 1;
    else if (sign === ')') depth = Math.max(0, depth - 1);
    else if (sign === ';' && depth === 0) {
      declarations.push(declaration + text.slice(from, at));
      declaration = '';
      from = at + 1;
    } else if (sign === '"' || sign === "'") SIGNS.lastIndex = endOf(text, sign, at + 1);
    else if (sign === '/' && depth === 0 && text.charAt(at + 1) === '*') {
      declaration += text.slice(from, at);
      from = endOf(text, '*/', at + 2);
      SIGNS.lastIndex = from;
    }
  }
  declarations.push(declaration + text.slice(from));
  return declarations;
}

function endOf(text: string, sign: string, from: number): number {
  const end = text.indexOf(sign, from);
  return end < 0 ? text.length : end + sign.length;
}
