/** A document that grows with `size`. It is made to find a step with more than linear cost. */
export interface HostileShape {
  readonly name: string;
  readonly size: number;
  readonly make: (size: number) => string;
}

const repeated = (piece: string, after = '') => {
  return (size: number) => piece.repeat(size) + after;
};
const within = (before: string, piece: string, after: string) => {
  return (size: number) => before + piece.repeat(size) + after;
};

/** Shapes that have broken other converters. At their full size, they are near the limits of a document. */
export const HOSTILE_SHAPES: readonly HostileShape[] = [
  { name: 'nested div', size: 50_000, make: repeated('<div>', 'x') },
  { name: 'nested blockquote', size: 50_000, make: repeated('<blockquote>', 'x') },
  { name: 'nested ul', size: 25_000, make: repeated('<ul><li>', 'x') },
  { name: 'nested lists with text', size: 20_000, make: repeated('<ul><li>a', 'x') },
  { name: 'unclosed b', size: 99_000, make: repeated('<b>', 'x') },
  { name: 'unclosed b with text', size: 50_000, make: repeated('<b>a ', 'x') },
  { name: 'unclosed p and b', size: 30_000, make: repeated('<p><b>a', 'x') },
  { name: 'nested span', size: 20_000, make: repeated('<span>', 'x') },
  { name: 'comment on a page', size: 50_000, make: repeated('<body><div class=comment>x</div>') },
  {
    name: 'heading beside text',
    size: 30_000,
    make: repeated('<body><h3>a</h3><p>same sentence of more than forty characters</p>'),
  },
  {
    name: 'nested font, closed in the wrong order',
    size: 3000,
    make: repeated('<font color=a><p>', '</font>'.repeat(3000)),
  },
  { name: 'nested tables', size: 3000, make: repeated('<table><tr><td>', 'x') },
  { name: 'nested svg', size: 20_000, make: repeated('<svg><g>', 'x') },
  { name: 'nested template', size: 20_000, make: repeated('<template>', 'x') },
  { name: 'td', size: 99_000, make: within('<table><tr>', '<td>x', '</table>') },
  { name: 'rows', size: 30_000, make: within('<table>', '<tr><td>a<td>b', '</table>') },
  { name: 'text before a table', size: 30_000, make: within('<table>', 'a<b>', '</table>') },
  { name: 'li', size: 50_000, make: within('<ul>', '<li>x', '</ul>') },
  { name: 'nbsp in i', size: 300_000, make: within('<i>', '&nbsp;', '</i>') },
  { name: 'a in one p', size: 20_000, make: within('<p>', '<a href="/x">x</a> ', '</p>') },
  { name: 'emphasis in one p', size: 30_000, make: within('<p>', '<i>a</i><b>b</b>', '</p>') },
  { name: 'attributes of one element', size: 50_000, make: (size) => `<p ${names(size)}>x` },
  { name: 'characters: less than', size: 1_000_000, make: within('<p>', '<', '') },
  { name: 'characters: asterisk', size: 1_000_000, make: within('<p>', '*', '') },
  { name: 'characters: underscore', size: 1_000_000, make: within('<p>', '_', '') },
  { name: 'characters: backtick', size: 1_000_000, make: within('<p>', '`', '') },
  { name: 'characters: backtick in code', size: 1_000_000, make: within('<code>', '`', '</code>') },
  { name: 'characters: space', size: 1_000_000, make: within('<p>', ' ', 'x') },
  { name: 'characters: bracket', size: 1_000_000, make: within('<p>', '[', '') },
  { name: 'characters: ampersand', size: 1_000_000, make: within('<p>', '&', '') },
  { name: 'line breaks', size: 90_000, make: within('<p>', 'a<br>', '') },
  { name: 'empty paragraphs', size: 90_000, make: repeated('<p> ') },
  { name: 'comments', size: 500_000, make: within('<p>', '<!---->', 'x') },
  { name: 'definitions', size: 40_000, make: within('<dl>', '<dt>a<dd>b', '</dl>') },
  { name: 'headings', size: 90_000, make: repeated('<h2>a</h2>') },
  { name: 'lines of pre', size: 1_000_000, make: within('<pre>', 'a\n', '</pre>') },
  { name: 'JSON-LD', size: 500_000, make: within('<script type="application/ld+json">', '[', '</script><p>x') },
];

function names(size: number): string {
  return Array.from({ length: size }, (_, index) => `a${index}=1`).join(' ');
}
