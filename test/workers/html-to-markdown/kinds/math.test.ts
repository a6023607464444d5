import { type Case, guide, testCases } from './kinds.ts';

const WIKIPEDIA = (tex: string, name: string) =>
  `<span class="mwe-math-element mwe-math-element-inline"><span class="mwe-math-mathml-inline mwe-math-mathml-a11y" style="display: none;"><math xmlns="http://www.w3.org/1998/Math/MathML" alttext="${tex}"><semantics><mrow><mi>?</mi></mrow><annotation encoding="application/x-tex">${tex}</annotation></semantics></math></span><img src="https://media.example/${name}.svg" class="mwe-math-fallback-image-inline mw-invert" aria-hidden="true" alt="${tex}"></span>`;

const CASES: readonly Case[] = [
  [
    'the alternative text of a formula is its source',
    '<p>Then <math alttext="\\alpha+\\beta\\leq\\pi" class="ltx_Math" display="inline"><mrow><mi>α</mi><mo>+</mo><mi>β</mi><mo>≤</mo><mi>π</mi></mrow></math>.</p>',
    { has: ['$\\alpha+\\beta\\leq\\pi$'] },
  ],
  [
    'the annotation of a formula with a long root is its source',
    '<p>So <math><semantics><msqrt><mi>s</mi></msqrt><annotation encoding="application/x-tex">\\sqrt{s}</annotation></semantics></math>.</p>',
    { has: ['$\\sqrt{s}$'] },
  ],
  [
    'the hidden formula of a French encyclopedia stays instead of its picture',
    guide(`<p>On obtient ${WIKIPEDIA('{\\displaystyle a^{2}+b^{2}=c^{2}}', 'pyth')} pour le triangle.</p>`, 'fr'),
    { has: ['$a^{2}+b^{2}=c^{2}$'], not: ['pyth.svg', '?'] },
  ],
  [
    'a picture of a formula without MathML stays',
    '<p>See <img src="https://media.example/ohm.png" class="formula" alt="U=RI"> below.</p>',
    { has: ['U=RI'] },
  ],
  [
    'the pictures of formulas of Doxygen are formulas',
    '<p class="formulaDsp"><img class="formulaDsp" alt="\\[ \\int_0^1 f \\]" src="form_1.png"></p>',
    { has: ['$$\\int_0^1 f$$'], not: ['form_1'] },
  ],
  [
    'the pictures of formulas of Sphinx are formulas',
    '<p>Let <img class="math" src="_images/math/a.png" alt="x_1 + x_2"> be</p><div class="math"><p><img src="_images/math/b.png" class="math" alt="\\sum_i x_i"></p></div>',
    { has: ['Let $x_1 + x_2$ be', '$$\\sum_i x_i$$'], not: ['png'] },
  ],
  [
    'a picture with a formula between signs is a formula',
    '<p>Thus <img src="e.gif" alt="$\\frac{a}{b}$"> holds</p>',
    { has: ['Thus $\\frac{a}{b}$ holds'] },
  ],
  ['a picture about money is a picture', '<p><img src="e.gif" alt="$5 and $9"></p>', { has: ['e.gif'] }],
];

testCases(CASES);
