function pairs(list: string): [string, string][] {
  return list
    .trim()
    .split(/\s+/)
    .map((pair) => [pair.slice(0, 1), pair.slice(1)]);
}

/** Commands between two terms, written with spaces around them. */
export const RELATIONS: ReadonlyMap<string, string> = new Map(
  pairs(String.raw`
    ±\pm ∓\mp ×\times ÷\div ⋅\cdot ∙\cdot ·\cdot ∘\circ ⊕\oplus ⊗\otimes ≤\leq ≥\geq ⩽\leq ⩾\geq ≠\neq ≈\approx
    ≡\equiv ≢\not\equiv ∼\sim ≃\simeq ≅\cong ∝\propto ≪\ll ≫\gg ≺\prec ≻\succ ∈\in ∉\notin ∋\ni ⊂\subset ⊆\subseteq
    ⊃\supset ⊇\supseteq ⊄\not\subset ∪\cup ∩\cap ∖\setminus ∧\wedge ∨\vee →\to ←\leftarrow ↔\leftrightarrow ⇒\Rightarrow
    ⇐\Leftarrow ⇔\Leftrightarrow ⟶\longrightarrow ⟵\longleftarrow ⟹\implies ⟺\iff ↦\mapsto ⊥\perp ∥\parallel ∣\mid
    ⊢\vdash ⊨\models <\lt >\gt ≔:= ⇌\rightleftharpoons ↑\uparrow ↓\downarrow
  `),
);

/** Other characters with a command, or with a meaning in LaTeX. */
export const SYMBOLS: ReadonlyMap<string, string> = new Map([
  ...pairs(String.raw`
    α\alpha β\beta γ\gamma δ\delta ε\varepsilon ϵ\epsilon ζ\zeta η\eta θ\theta ϑ\vartheta ι\iota κ\kappa λ\lambda μ\mu
    µ\mu ν\nu ξ\xi ο{o} π\pi ϖ\varpi ρ\rho ϱ\varrho σ\sigma ς\varsigma τ\tau υ\upsilon φ\varphi ϕ\phi χ\chi ψ\psi
    ω\omega Γ\Gamma Δ\Delta Θ\Theta Λ\Lambda Ξ\Xi Π\Pi Σ\Sigma Υ\Upsilon Φ\Phi Ψ\Psi Ω\Omega ∞\infty ∂\partial ∇\nabla
    ∑\sum ∏\prod ∐\coprod ∫\int ∬\iint ∭\iiint ∮\oint ⋃\bigcup ⋂\bigcap ⋁\bigvee ⋀\bigwedge ⨁\bigoplus ⨂\bigotimes
    √\surd ∅\emptyset ∀\forall ∃\exists ∄\nexists ¬\neg ⟨\langle ⟩\rangle ⌊\lfloor ⌋\rfloor ⌈\lceil ⌉\rceil …\ldots
    ⋯\cdots ⋮\vdots ⋱\ddots ′' ″'' ‴''' ℝ\mathbb{R} ℕ\mathbb{N} ℤ\mathbb{Z} ℚ\mathbb{Q} ℂ\mathbb{C} ℙ\mathbb{P} ℏ\hbar
    ℓ\ell ℵ\aleph ℜ\Re ℑ\Im ∠\angle △\triangle ⊤\top ‖\| ∥\| †\dagger ‡\ddagger −- ∗* ‐- {\{ }\} #\# $\$ %\% &\& _\_
    \\backslash ~\sim ^\wedge
  `),
]);

export const FUNCTIONS: ReadonlySet<string> = new Set(
  (
    'sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth log ln lg exp lim max min sup inf det dim ker gcd ' +
    'deg arg hom Pr limsup liminf'
  ).split(' '),
);

/** Operators and functions whose limits are written below and above them. */
export const LIMITED: ReadonlySet<string> = new Set(
  '∑ ∏ ∐ ∫ ∬ ∭ ∮ ⋃ ⋂ ⋁ ⋀ ⨁ ⨂ lim max min sup inf det gcd Pr limsup liminf'.split(' '),
);

/** Characters above a base that have a command of their own. */
export const ACCENTS: ReadonlyMap<string, string> = new Map(
  pairs(String.raw`
    ¯\overline ‾\overline ―\overline _\overline ^\hat ˆ\hat ~\tilde ˜\tilde →\vec ⃗\vec ˙\dot .\dot ¨\ddot ˇ\check
    ˘\breve ⏞\overbrace ︷\overbrace ⌢\frown
  `),
);

/** Characters below a base that have a command of their own. */
export const UNDERS: ReadonlyMap<string, string> = new Map(
  pairs(String.raw`¯\underline ‾\underline ―\underline _\underline ̲\underline ⏟\underbrace ︸\underbrace`),
);

export const VARIANTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    normal: '\\mathrm',
    bold: '\\mathbf',
    'bold-italic': '\\boldsymbol',
    'double-struck': '\\mathbb',
    script: '\\mathcal',
    'bold-script': '\\mathcal',
    fraktur: '\\mathfrak',
    'sans-serif': '\\mathsf',
    monospace: '\\mathtt',
  }),
);
