import { type Case, guide, testCases } from './kinds.ts';

const WIKIPEDIA = (tex: string, name: string) =>
  `<span class="mwe-math-element mwe-math-element-inline"><span class="mwe-math-mathml-inline mwe-math-mathml-a11y" style="display: none;"><math xmlns="http://www.w3.org/1998/Math/MathML" alttext="${tex}"><semantics><mrow><mi>?</mi></mrow><annotation encoding="application/x-tex">${tex}</annotation></semantics></math></span><img src="https://media.example/${name}.svg" class="mwe-math-fallback-image-inline mw-invert" aria-hidden="true" alt="${tex}"></span>`;

const CASES: readonly Case[] = [
  [
    'three quarters in MathML are not 34',
    '<p>Fill <math><mfrac><mn>3</mn><mn>4</mn></mfrac></math> of the tank.</p>',
    { not: ['Fill 34', 'Fill $34'], oneOf: [['\\frac', '3/4', '¾', '(3)/(4)']] },
  ],
  [
    'a power in MathML is not two letters beside each other',
    '<p>The area is <math><mi>π</mi><msup><mi>r</mi><mn>2</mn></msup></math>.</p>',
    { not: ['r2', 'r 2'], oneOf: [['r^2', 'r^{2}', 'r²', '{r}^{2}', '{r}^2']] },
  ],
  [
    'a root of a number in MathML is marked',
    '<p>It is <math><msqrt><mn>81</mn></msqrt></math> arms deep.</p>',
    { not: ['is 81 arms', 'is $81$'], oneOf: [['\\sqrt', '√']] },
  ],
  [
    'a cube root in MathML is not the number and its degree',
    '<p>Take <math><mroot><mn>27</mn><mn>3</mn></mroot></math> steps.</p>',
    { not: ['273', '27 3'], oneOf: [['\\sqrt[3]', '³√', '∛', '\\sqrt[{3}]', '27^(1/3)', '27^{1/3}']] },
  ],
  [
    'an index in MathML is not a factor',
    '<p>Let <math><msub><mi>a</mi><mn>10</mn></msub><mo>=</mo><mn>5</mn></math>.</p>',
    { not: ['a10', 'a 10'], oneOf: [['a_{10}', 'a_10', 'a₁₀', '{a}_{10}']] },
  ],
  [
    'a sum with limits in MathML is not a row of its parts',
    '<p><math display="block"><munderover><mo>∑</mo><mrow><mi>k</mi><mo>=</mo><mn>1</mn></mrow><mn>9</mn></munderover><mi>k</mi></math></p>',
    { not: ['∑k=19', '∑k=1 9', '∑ k=19'], oneOf: [['k=1', 'k = 1']] },
  ],
  [
    'a matrix in MathML has separate rows and columns',
    '<p><math><mo>(</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable><mo>)</mo></math></p>',
    { not: ['1234', '12 34', '(1 2 3 4)'] },
  ],
  [
    'a nested fraction in MathML in a German text is no whole number',
    guide(
      '<p>Der Anteil ist <math><mfrac><mn>1</mn><mrow><mn>1</mn><mo>+</mo><mfrac><mn>1</mn><mn>7</mn></mfrac></mrow></mfrac></math> der Last.</p>',
      'de',
    ),
    { not: ['11+17', '1+17'] },
  ],
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
    'the hidden formula of a Russian encyclopedia stays in a list',
    guide(`<ul><li>сила: ${WIKIPEDIA('{\\displaystyle F=ma}', 'newton')}</li></ul>`, 'ru'),
    { has: ['$F=ma$'], not: ['newton.svg'] },
  ],
  [
    'a picture of a formula without MathML stays',
    '<p>See <img src="https://media.example/ohm.png" class="formula" alt="U=RI"> below.</p>',
    { has: ['U=RI'] },
  ],
  [
    'a MathJax formula with assistive MathML has its power',
    '<p>So <mjx-container class="MathJax" jax="SVG"><svg><g></g></svg><mjx-assistive-mml unselectable="on"><math><msup><mi>e</mi><mn>3</mn></msup></math></mjx-assistive-mml></mjx-container>.</p>',
    { not: ['e3', 'e 3'], oneOf: [['e^3', 'e^{3}', 'e³', '{e}^{3}']] },
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
