import test from 'ava';
import { toMarkdown } from '../to-markdown.ts';

const CASES: readonly (readonly [what: string, mathml: string, latex: string])[] = [
  ['fractions', '<mfrac><mn>1</mn><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow></mfrac>', '\\frac{1}{a+b}'],
  ['powers and indices', '<msup><mi>x</mi><mn>10</mn></msup><msub><mi>y</mi><mi>i</mi></msub>', 'x^{10}y_i'],
  ['a row with a power', '<msup><mrow><mi>a</mi><mi>b</mi></mrow><mn>2</mn></msup>', '{ab}^2'],
  [
    'roots',
    '<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt><mroot><mi>x</mi><mn>3</mn></mroot>',
    '\\sqrt{x+1}\\sqrt[3]{x}',
  ],
  [
    'sums and limits',
    '<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><munder><mi>lim</mi><mi>x</mi></munder>',
    '\\sum_{i=1}^{n}\\lim_{x}',
  ],
  ['functions and Greek letters', '<mi>sin</mi><mo>&#x2061;</mo><mi>α</mi><mi>b</mi>', '\\sin\\alpha b'],
  ['names and text', '<mi>speed</mi><mtext>if 5% &lt; x</mtext>', '\\mathrm{speed}\\text{if 5\\% }\\lt\\text{ x}'],
  [
    'numbers that are multiplied without a sign',
    '<mn>2</mn><mo>&#x2062;</mo><mn>3</mn><mo>&#x2062;</mo><mi>x</mi>',
    '2\\cdot 3x',
  ],
  [
    'matrices',
    '<mo>(</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mi>a</mi></mtd><mtd></mtd></mtr></mtable><mo>)</mo>',
    '\\begin{pmatrix} 1 & 0 \\\\ a & \\end{pmatrix}',
  ],
  [
    'cases',
    '<mo>{</mo><mtable><mtr><mtd><mn>1</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd></mtr></mtable>',
    '\\begin{cases} 1 \\\\ 0 \\end{cases}',
  ],
  ['accents', '<mover><mi>v</mi><mo>→</mo></mover><mover><mi>x</mi><mo>¯</mo></mover>', '\\vec{v}\\overline{x}'],
  [
    'scripts before a base',
    '<mmultiscripts><mi>C</mi><mprescripts/><mn>6</mn><mn>14</mn></mmultiscripts>',
    '{}_{6}^{14}C',
  ],
  ['fences', '<mfenced open="["><mi>a</mi><mi>b</mi></mfenced><msup><mi>f</mi><mo>′</mo></msup>', "[a,b)f'"],
  ['no-break spaces in text', '<mi>x</mi><mtext>&nbsp;for </mtext><mi>y</mi>', 'x\\text{ for}y'],
  ['binomials', '<mfrac linethickness="0"><mi>n</mi><mi>k</mi></mfrac>', '{n \\atop k}'],
  ['parts that nobody sees', '<mphantom><mi>x</mi></mphantom><mi>y</mi>', 'y'],
  ['signs of LaTeX', '<mo>{</mo><mi>#</mi><mo>$</mo><mtext>a_b</mtext>', '\\{\\#\\$\\text{a\\_b}'],
];

for (const [what, mathml, latex] of CASES) {
  test(`${what} become LaTeX`, (t) => t.is(toMarkdown(`<p><math>${mathml}</math>`), `$${latex}$`));
}

test('a formula in a heading, a link and a table stays', (t) => {
  const half = '<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>';
  t.is(toMarkdown(`<h2>On ${half}</h2><p><a href=/a>${half}</a>`), '## On $\\frac{1}{2}$\n\n[$\\frac{1}{2}$](/a)');
  t.is(
    toMarkdown(`<table><tr><th>a<th>b<tr><td>${half}<td>c</table>`),
    '| a | b |\n| --- | --- |\n| $\\frac{1}{2}$ | c |',
  );
});

test('the names of formulas may have a prefix', (t) => {
  t.is(toMarkdown('<m:math><m:mfrac><m:mn>1</m:mn><m:mn>2</m:mn></m:mfrac></m:math>'), '$\\frac{1}{2}$');
});

test('a deep and a wide formula end', (t) => {
  t.true(toMarkdown(`<math>${'<msqrt>'.repeat(10_000)}<mi>x</mi>`).includes('x'));
  t.true(toMarkdown(`<math>${'<mfrac>'.repeat(2000)}<mi>x</mi>`).includes('x'));
  t.true(toMarkdown(`<math>${'<msup><mi>x</mi><mn>2</mn></msup>'.repeat(20_000)}</math>`).endsWith('x^2$'));
});
