import test from 'ava';
import { toMarkdown } from '../to-markdown.ts';

const CASES: readonly (readonly [what: string, html: string, markdown: string])[] = [
  [
    'a formula becomes its source',
    '<p>a <math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2 &lt; 1</annotation></semantics></math>',
    'a $x^2 \\lt 1$',
  ],
  [
    'a display formula becomes a block',
    '<math display=block><semantics><mi>x</mi><annotation encoding="application/x-tex">x</annotation></semantics></math>',
    '$$x$$',
  ],
  ['a formula without a source becomes LaTeX', '<p><math><mi>x</mi><mo>=</mo><mn>1</mn></math>', '$x=1$'],
  ['text in a formula without elements stays text', '<p><math>x = 1</math>', 'x = 1'],
  [
    'the text of a formula is used if it is LaTeX',
    '<p><math alttext="E=mc^{2}"><mi>E</mi></math> <math alttext="x squared"><msup><mi>x</mi><mn>2</mn></msup></math>',
    '$E=mc^{2}$ $x^2$',
  ],
  [
    'a KaTeX formula is written once',
    '<p>a <span class=katex><span class=katex-mathml><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math></span><span class=katex-html aria-hidden=true>x2</span></span> b',
    'a $x^2$ b',
  ],
  [
    'KaTeX without a source becomes its visible text',
    '<p><span class=katex><span class=katex-html>x2</span></span>',
    'x2',
  ],
  [
    'a MathJax 2 formula is written once',
    '<p>a <span class=MathJax_Preview>p</span><span class=MathJax>x2</span><script type="math/tex">x^2</script> b',
    'a $x^2$ b',
  ],
  [
    'a MathJax 2 display formula is written once',
    '<span class=MathJax_Preview>p</span><div class=MathJax_Display><span class=MathJax>x2</span></div><script type="math/tex; mode=display">x^2</script>',
    '$$x^2$$',
  ],
  ['the preview of MathJax 2 stays if there is no formula', '<p><span class=MathJax_Preview>x2</span> a', 'x2 a'],
  [
    'a MathJax 3 formula is written once',
    '<p><mjx-container><mjx-math aria-hidden=true>xx</mjx-math><mjx-assistive-mml><math><mi>x</mi></math></mjx-assistive-mml></mjx-container>',
    '$x$',
  ],
  [
    'a formula of Wikipedia is written once, without its style',
    '<p><span><span><math><semantics><mi>x</mi><annotation encoding="application/x-tex">{\\displaystyle {a}_{b}}</annotation></semantics></math></span><img class=mwe-math-fallback-image-inline src=x.svg alt=x></span>',
    `\${a}_{b}$`,
  ],
  [
    'an image of a formula becomes the formula',
    '<p><img class=tex src=x.png alt="x^2"> <img class=latex src=x.png alt="a + b">',
    '$x^2$ $a + b$',
  ],
  [
    'an image of something else stays an image',
    '<p><img class=latex src=x.png alt="Latex gloves"> <img src=x.png alt="x^2">',
    '![Latex gloves](x.png) ![x^2](x.png)',
  ],
];

for (const [what, html, markdown] of CASES) test(what, (t) => t.is(toMarkdown(html), markdown));
